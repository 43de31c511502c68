"""What answers weigh: packed for whoever accepts that, and kept by phones while it holds."""

import gzip
import re
from contextvars import Context
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.weight import LEAST, address
from tests.conftest import Table
from tests.web.conftest import Phone

PACKED = {"Accept-Encoding": "gzip, deflate, br"}


def asks(phone: Phone, path: str, method: str = "GET", **headers: str) -> TestResponse:
    """The answer as it is on the way, for a phone that takes it packed."""
    sent = {**PACKED, **headers}
    # Outside the test's own context, see Phone.
    answer = Context().run(phone.client.open, path, method=method, headers=sent)
    if answer.mimetype != "text/event-stream":
        answer.get_data()
    answer.close()
    return answer


@pytest.fixture
def phone(app: Flask, table: Table) -> Phone:
    """A phone at a table that has played a round."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    return Phone(app).joins(table.id, Role.MANAGE)


@pytest.fixture
def statics(app: Flask) -> list[str]:
    """The addresses of all static files."""
    assert app.static_folder
    return [f"{app.static_url_path}/{file.name}" for file in Path(app.static_folder).iterdir()]


@pytest.fixture
def texts(statics: list[str]) -> list[str]:
    """All but the pictures, which are packed as they are."""
    return [path for path in statics if not path.endswith(".png")]


# --- Packing --------------------------------------------------------------------------------------


def test_pages_are_packed_for_whoever_accepts_that(phone: Phone) -> None:
    for path in ("/", "/new/kaga", phone.series, f"{phone.series}/rounds/new"):
        answer = asks(phone, path)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert int(answer.headers["Content-Length"]) == len(answer.data)
        assert "</html>" in gzip.decompress(answer.data).decode()


def test_so_is_every_static_file_above_a_size(phone: Phone, texts: list[str]) -> None:
    for path in texts:
        whole, packed = phone.sends("GET", path).answer, asks(phone, path)
        if len(whole.data) < LEAST:
            assert packed.data == whole.data
        else:
            assert packed.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(packed.data) == whole.data


def test_so_are_answers_of_the_api(phone: Phone, table: Table) -> None:
    call = f"/api/v1/series/{table.id}"
    secret = f"Bearer {ledger.secret_for(table.id, Role.VIEW)}"
    answer = asks(phone, call, Authorization=secret)
    assert answer.headers["Content-Encoding"] == "gzip"
    again = asks(phone, call, Authorization=secret, **{"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0"])
def test_nothing_is_packed_for_others(phone: Phone, texts: list[str], accepted: str) -> None:
    for path in ("/", phone.series, *texts):
        answer = asks(phone, path, **{"Accept-Encoding": accepted})
        assert "Content-Encoding" not in answer.headers
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_scripts_come_without_what_only_people_read(phone: Phone, app: Flask) -> None:
    """Nothing else is lost: what is left is the file without comments, but for its spaces."""
    scripts = [*Path(app.static_folder).glob("*.js")]
    assert scripts
    for file in scripts:
        served = asks(phone, f"{app.static_url_path}/{file.name}", **{"Accept-Encoding": ""}).text
        written = re.sub(r"(?m)^\s*//.*$| // .*$|/\*.*?\*/", "", file.read_text("utf-8"))
        assert re.sub(r"\s", "", served) == re.sub(r"\s", "", written), file.name
        assert len(served) < len(written)


def test_a_stream_is_never_packed(phone: Phone, table: Table) -> None:
    answer = asks(phone, f"/api/v1/series/{table.id}/events")
    assert answer.mimetype == "text/event-stream"
    assert "Content-Encoding" not in answer.headers


def test_the_page_with_the_secrets_is_not_packed(phone: Phone) -> None:
    assert "Content-Encoding" not in asks(phone, f"{phone.series}/share").headers


def test_a_tag_stands_for_the_content_however_packed(phone: Phone, statics: list[str]) -> None:
    for path in statics:
        whole, packed = phone.sends("GET", path).answer, asks(phone, path)
        assert whole.headers["ETag"] == packed.headers["ETag"]
        assert packed.headers["ETag"].startswith("W/")


def test_whoever_has_it_is_told_so(phone: Phone, texts: list[str]) -> None:
    for path in texts:
        tag = asks(phone, path).headers["ETag"]
        again = asks(phone, path, **{"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag
        assert "Accept-Encoding" in again.headers["Vary"]


def test_the_head_alone_says_the_same(phone: Phone, statics: list[str]) -> None:
    said = ("Content-Length", "Content-Encoding", "Content-Type", "ETag", "Vary")
    for path in statics:
        whole, head = asks(phone, path), asks(phone, path, "HEAD")
        assert head.data == b""
        for name in said:
            assert head.headers.get(name) == whole.headers.get(name), (path, name)
    assert asks(phone, "/j", "HEAD").headers["Content-Encoding"] == "gzip"


def test_a_part_of_a_file_is_not_packed(phone: Phone, app: Flask) -> None:
    part = asks(phone, f"{app.static_url_path}/style.css", Range="bytes=0-9")
    assert (part.status_code, len(part.data)) == (206, 10)
    assert "Content-Encoding" not in part.headers


# --- Keeping --------------------------------------------------------------------------------------


def test_a_static_file_is_kept_for_a_year_by_anybody(phone: Phone, statics: list[str]) -> None:
    for path in statics:
        headers = asks(phone, path).headers
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
        # What is kept on the way belongs to nobody.
        assert "Set-Cookie" not in headers
        assert "Cookie" not in headers.get("Vary", "")


def test_what_is_not_there_is_not_kept(phone: Phone, app: Flask) -> None:
    for path in ("/static/style.css", f"{app.static_url_path}/nothing.css"):
        answer = asks(phone, path)
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "private, no-cache"


def test_every_page_asks_for_files_that_are_there(phone: Phone, statics: list[str]) -> None:
    for path in ("/", "/j", "/new/kaga", "", "/rounds/1", "/rounds/new?use=named", "/manage"):
        text = phone.opens(path).text
        asked = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', text))
        assert asked
        assert asked <= set(statics)


def test_the_address_follows_what_is_in_the_files(tmp_path: Path) -> None:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return address(tmp_path)

    seen: list[Any] = [address(tmp_path), write("a", "1"), write("b", "2"), write("a", "12")]
    (tmp_path / "b").rename(tmp_path / "c")
    seen.append(address(tmp_path))
    assert len(set(seen)) == 5
    (tmp_path / "c").rename(tmp_path / "b")
    assert address(tmp_path) == seen[3]
