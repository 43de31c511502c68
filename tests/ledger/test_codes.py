"""Short codes to type, and how often somebody may try."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from scorekeeper import ledger
from scorekeeper.ledger import Role, codes
from scorekeeper.ledger.chain import now
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import WrongTry

from ..conftest import everything

HOME, OTHER = "192.0.2.7", "192.0.2.8"


@pytest.fixture
def series(table):
    return table.start("kaga", "Hana", "Ren")


@pytest.fixture(autouse=True)
def naps(monkeypatch, app):
    """How long answers had to wait."""
    naps: list[float] = []
    monkeypatch.setattr(codes, "sleep", naps.append)
    return naps


@pytest.fixture(autouse=True)
def nobody_tried(app):
    """On a server that several tests share, what was tried before does not count."""
    with writing() as books:
        books.execute(delete(WrongTry))


@pytest.fixture
def later(monkeypatch):
    """Lets time pass, in seconds."""
    passed = [timedelta()]

    def passes(seconds):
        passed.append(timedelta(seconds=seconds))

    monkeypatch.setattr(codes, "now", lambda: now() + sum(passed, timedelta()))
    return passes


def wrong(code: str, at: int = 7) -> str:
    """The code with another character at a place."""
    other = codes.ALPHABET[codes.ALPHABET.index(code[at]) ^ 1]
    return code[:at] + other + code[at + 1 :]


def nonsense(number: int) -> str:
    """A code that there is not."""
    return f"Z{number:07}"


@pytest.mark.parametrize("role", [Role.VIEW, Role.ENTER])
def test_a_code_stands_for_the_secret_of_its_role(series, role):
    code = ledger.new_code(series, role)
    assert ledger.recognise(code.text, HOME) == ledger.secret_for(series, role)


def test_a_code_has_eight_characters_that_look_like_nothing_else(series):
    for _ in range(20):
        code = ledger.new_code(series, Role.VIEW)
        assert len(code.text) == 8
        assert not set(code.text) & set("OILU")
        assert code.shown == f"{code.text[:4]} {code.text[4:]}"


def test_a_code_is_read_forgivingly(series):
    while not {"0", "1"} <= set(code := ledger.new_code(series, Role.VIEW).text):
        pass
    typed = (
        code.lower(),
        f" {code[:4]}  {code[4:]}\t",
        f"{code[:4]}-{code[4:]}",
        code.replace("0", "O").replace("1", "I"),
        code.replace("0", "o").replace("1", "l"),
        "".join(chr(ord(letter) + 0xFEE0) for letter in code),  # of full width
    )
    for text in typed:
        assert ledger.recognise(text, HOME) == ledger.secret_for(series, Role.VIEW), text


@pytest.mark.parametrize("text", ["x", "\0", "\ud800", "ゆき", "A" * 43, "U" * 8, "=" * 10_000])
def test_anything_else_opens_nothing(series, text):
    assert ledger.recognise(text, HOME) is None


def test_nothing_at_all_is_no_try(series):
    before = everything()
    for text in ("", " ", "\n"):
        assert ledger.recognise(text, HOME) is None
    assert everything() == before


def test_the_database_holds_no_code(series):
    code = ledger.new_code(series, Role.ENTER).text
    ledger.recognise(wrong(code), HOME)
    kept = repr(everything())
    assert code not in kept
    assert code[:4] not in kept
    assert HOME not in kept


def test_a_code_is_good_for_ten_minutes(series, later):
    code = ledger.new_code(series, Role.ENTER)
    assert (code.left, code.minutes) == (600, 10)
    later(599)
    assert ledger.recognise(code.text, HOME) is not None
    later(1)
    assert ledger.recognise(code.text, HOME) is None
    assert ledger.shown_codes(series) == {}


def test_the_newest_code_is_shown_and_the_others_stay_good(series, later):
    first = ledger.new_code(series, Role.ENTER)
    later(300)
    shown = ledger.shown_codes(series)[Role.ENTER]
    assert 290 < shown.left <= 300
    assert shown.minutes == shown.left // 60
    second = ledger.new_code(series, Role.ENTER)
    assert texts(series) == {Role.ENTER: second.text}
    assert ledger.recognise(first.text, HOME) == ledger.recognise(second.text, HOME)


def test_a_code_ends_with_the_secret_that_it_stands_for(series):
    code = ledger.new_code(series, Role.ENTER)
    other = ledger.new_code(series, Role.VIEW)
    ledger.rotate(series, Role.ENTER)
    assert ledger.recognise(code.text, HOME) is None
    assert ledger.recognise(other.text, HOME) == ledger.secret_for(series, Role.VIEW)
    assert texts(series) == {Role.VIEW: other.text}


def texts(series: str) -> dict[Role, str]:
    """The codes that are shown; how many seconds they have left changes meanwhile."""
    return {role: code.text for role, code in ledger.shown_codes(series).items()}


def test_what_a_code_stood_for_before_a_rotation_lets_nobody_in(series):
    """The code was read, then the secret rotated, then the phone joins."""
    secret = ledger.recognise(ledger.new_code(series, Role.ENTER).text, HOME)
    ledger.rotate(series, Role.ENTER)
    device, _ = ledger.new_device()
    assert ledger.join(device, secret) is None


def test_codes_that_have_ended_are_forgotten(series, later):
    kept = len(everything()["typed_code"])
    for _ in range(3):
        ledger.new_code(series, Role.ENTER)
    later(600)
    ledger.new_code(series, Role.ENTER)
    assert len(everything()["typed_code"]) <= kept + 1


def test_no_such_series(app):
    with pytest.raises(ledger.UnknownSeries):
        ledger.new_code("nowhere", Role.VIEW)
    assert ledger.shown_codes("nowhere") == {}


# --- Wrong tries ----------------------------------------------------------------------------------


def test_ten_wrong_tries_from_one_address_and_it_waits(series, later):
    code = ledger.new_code(series, Role.ENTER).text
    for number in range(10):
        assert ledger.recognise(nonsense(number), HOME) is None
    for text in (nonsense(10), code):
        with pytest.raises(ledger.TooManyTries, match="Wait 10 minutes, or scan the code") as told:
            ledger.recognise(text, HOME)
        assert 0 < told.value.wait <= 600
    assert ledger.recognise(code, OTHER) is not None
    later(600)
    assert ledger.recognise(ledger.new_code(series, Role.ENTER).text, HOME) is not None


def test_a_refusal_is_no_try(series, later):
    for number in range(10):
        ledger.recognise(nonsense(number), HOME)
    for _ in range(5):
        later(100)
        with pytest.raises(ledger.TooManyTries):
            ledger.recognise(nonsense(11), HOME)
    later(101)
    assert ledger.recognise(nonsense(12), HOME) is None


def test_a_link_that_is_right_always_opens(series):
    for number in range(10):
        ledger.recognise(nonsense(number), HOME)
    secret = ledger.secret_for(series, Role.ENTER)
    assert ledger.recognise(secret, HOME) == secret


def test_a_wrong_link_is_a_try(series):
    for _ in range(10):
        assert ledger.recognise("A" * 43, HOME) is None
    with pytest.raises(ledger.TooManyTries):
        ledger.recognise("A" * 43, HOME)


def test_only_failures_count(series):
    """Five phones behind one address join, twice."""
    code = ledger.new_code(series, Role.ENTER).text
    for _ in range(30):
        assert ledger.recognise(code, HOME) is not None


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.70", False),
        ("", "", True),
    ],
)
def test_one_client_has_one_address_or_many(series, first, second, same):
    for number in range(10):
        ledger.recognise(nonsense(number), first)
    if same:
        with pytest.raises(ledger.TooManyTries):
            ledger.recognise(nonsense(11), second)
    else:
        assert ledger.recognise(nonsense(11), second) is None


def test_twenty_wrong_tries_at_a_code_and_it_is_dead(series):
    code = ledger.new_code(series, Role.ENTER).text
    for number in range(19):
        assert ledger.recognise(wrong(code), f"198.51.100.{number}") is None
    assert ledger.recognise(code, HOME) is not None
    assert ledger.recognise(wrong(code, at=4), "198.51.100.20") is None
    for text in (code, wrong(code)):
        with pytest.raises(ledger.TooManyTries, match="Ask for a new one"):
            ledger.recognise(text, HOME)
    assert ledger.shown_codes(series) == {}
    again = ledger.new_code(series, Role.ENTER)
    assert ledger.recognise(again.text, HOME) is not None


def test_wrong_tries_elsewhere_do_not_count_against_a_code(series):
    code = ledger.new_code(series, Role.ENTER).text
    for number in range(25):
        ledger.recognise(wrong(code, at=3), f"198.51.100.{number}")
    assert ledger.recognise(code, HOME) is not None


def test_many_wrong_tries_everywhere_slow_answers_and_refuse_nobody(series, naps):
    code = ledger.new_code(series, Role.ENTER).text
    for number in range(codes.BUSY):
        ledger.recognise(nonsense(number), f"198.51.{number}.1")
    assert naps == []
    assert ledger.recognise(code, HOME) is not None
    assert naps == [codes.PAUSE]
    assert codes.PAUSE < 1


def test_old_tries_are_forgotten(series, later):
    for number in range(5):
        ledger.recognise(nonsense(number), HOME)
    later(600)
    ledger.recognise(nonsense(5), HOME)
    assert len(everything()["wrong_try"]) == 1
