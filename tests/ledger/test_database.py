"""Where the books are kept: on disk, append-only, migrated, and by nobody else's version."""

import stat

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from scorekeeper import create_app, ledger
from scorekeeper.ledger.book import read
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.tables import Base, Head, db

from ..conftest import close


@pytest.mark.parametrize("table_name", ["event", "round_revision", "posting"])
@pytest.mark.parametrize("change", ["UPDATE {} SET series_id = series_id", "DELETE FROM {}"])
def test_the_database_refuses_to_change_what_was_written(table, table_name, change):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124)
    with (
        pytest.raises(DBAPIError, match=f"{table_name} is append-only"),
        writing() as books,
    ):
        books.execute(text(change.format(table_name)))


def test_other_tables_can_be_changed(table):
    """The negative control: a name can be erased, and the books still read."""
    table.start("bakappana", "Aki", "Ben")
    with writing() as books:
        books.execute(text("DELETE FROM player_name WHERE player_id = 2"))
    assert [person.name for person in table.book.players] == ["Aki", "Player 2"]


def test_a_transaction_is_written_whole_or_not_at_all(table):
    table.start("bakappana", "Aki", "Ben")

    def half_a_verb():
        with writing(table.id) as books:
            books.delete(books.get(Head, table.id))
            books.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_a_verb()
    with reading() as books:
        assert books.get(Head, table.id) is not None


def test_the_models_are_what_the_migrations_arrive_at(app):
    with db.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_a_second_start_changes_nothing(app, table):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124)
    book = table.book
    again = create_app(app.config)
    with again.app_context():
        assert read(table.id) == book
    close(again)


# --- What cannot be opened ------------------------------------------------------------------------


def refuses(config) -> str:
    with pytest.raises(ledger.LedgerError) as refusal:
        create_app(config)
    sentence = str(refusal.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_a_database_of_a_newer_version(kind, app, request):
    config = {"DATA": app.config["DATA"]}
    if kind == "postgresql":
        postgres = request.getfixturevalue("postgres")
        db.engine.dispose()
        config["DATABASE_URL"] = postgres.create("newer", "books")
    newer = create_app(config)
    with newer.app_context(), writing() as books:
        books.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    close(newer)
    assert "newer version" in refuses(config)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2",
        "postgres://nobody@127.0.0.1:1/nothing?connect_timeout=2",
        "oracle://nobody@127.0.0.1/nothing",
        "no address",
    ],
)
def test_a_database_that_is_not_there(tmp_path, url):
    assert refuses({"DATA": tmp_path, "DATABASE_URL": url})


def test_a_password_is_not_told(tmp_path):
    url = "postgresql://nobody:tell-nobody@127.0.0.1:1/nothing?connect_timeout=2"
    assert "tell-nobody" not in refuses({"DATA": tmp_path, "DATABASE_URL": url})


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "scorekeeper.db").write_text("Dear diary, " * 100)
    assert "database" in refuses({"DATA": tmp_path})


def test_a_folder_that_is_a_file(tmp_path):
    file = tmp_path / "data"
    file.touch()
    assert "folder" in refuses({"DATA": file})


# --- The key --------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_for_the_owner_alone(tmp_path):
    close(create_app({"DATA": tmp_path}))
    file = tmp_path / "key"
    key = file.read_bytes()
    assert len(key) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    close(create_app({"DATA": tmp_path}))
    assert file.read_bytes() == key
    assert [path.name for path in tmp_path.glob("key*")] == ["key"]


def test_a_given_key_is_used_and_none_is_made(tmp_path):
    given = "kr8sW0zvTq3LxYh2mNpD5bGcJf7uAe9R"
    app = create_app({"DATA": tmp_path, "SECRET_KEY": given})
    close(app)
    assert app.config["SECRET_KEY"] == given.encode()
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize("weak", ["secret", "x" * 64, "abc" * 20, "0123456789" * 3])
def test_a_weak_key_is_refused(tmp_path, weak):
    assert "SECRET_KEY" in refuses({"DATA": tmp_path, "SECRET_KEY": weak})


def test_a_damaged_key_is_not_replaced(tmp_path):
    (tmp_path / "key").write_bytes(b"short")
    assert "damaged" in refuses({"DATA": tmp_path})


def test_another_key_than_the_links_were_made_with(app, table):
    table.start("bakappana", "Aki", "Ben")
    other = {**app.config, "SECRET_KEY": "kr8sW0zvTq3LxYh2mNpD5bGcJf7uAe9R"}
    assert "another key" in refuses(other)
