"""The page of the history: what was done, by whom and when, and taking it back."""

import re
from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Form, Page, Phone


@pytest.fixture
def played(scorer: Phone) -> Phone:
    scorer.records(100, 84, 80)
    scorer.records(84, 100, 80)
    scorer.records(80, 84, 100)
    return scorer


def entries(page: Page) -> list[str]:
    """What each entry says, the newest first, without its clock."""
    found = re.findall(r'<li id="event-\d+">(.*?)</li>', page.text, re.DOTALL)
    texts = [
        re.sub(r"<time.*?</time>|<svg.*?</svg>", "", one).replace("</p>", " ") for one in found
    ]
    return [" ".join(re.sub(r"<(?!/?(button|s)\b).*?>", "", one).split()) for one in texts]


def buttons(page: Page) -> dict[str, str]:
    """The buttons of the entries, by what the entries say first."""
    found = {}
    for entry in entries(page):
        if label := re.search(r'<button class="plain">(.*?)</button>', entry):
            found[re.split(r"(?<=\.)", re.sub("</?s>", "", entry))[0]] = label[1]
    return found


def presses(phone: Phone, label: str) -> Page:
    page = phone.opens("/history")
    undo = next(form for form in page.forms if undoes(form) == pressed(page, label))
    return undo.presses().follows()


def undoes(form: Form) -> int:
    found = re.search(r"/undo/(\d+)$", form.path)
    return int(found[1]) if found else 0


def pressed(page: Page, label: str) -> int:
    """The event whose button has this label."""
    found = re.search(rf'/undo/(\d+)"[^/]*?>[^/]*?<button class="plain">{label}<', page.text)
    assert found, label
    return int(found[1])


# --- Taking back ----------------------------------------------------------------------------------


def test_a_button_says_what_it_does(played: Phone) -> None:
    for _ in range(3):
        page = presses(played, "Take this back")
    assert ledger.read(played.id).rounds == ()
    assert buttons(page) == {"Undone: Round 1 was recorded.": "Do it again"}
    page = presses(played, "Do it again")
    assert len(ledger.read(played.id).rounds) == 1
    assert buttons(page) == {
        "Done again: Round 1 was recorded.": "Take this back",
        "Undone: Round 2 was recorded.": "Do it again",
    }
    page = presses(played, "Take this back")
    assert ledger.read(played.id).rounds == ()
    assert buttons(page) == {"Undone: Round 1 was recorded.": "Do it again"}


def test_what_was_taken_back_says_so(played: Phone) -> None:
    page = presses(played, "Take this back")
    undone, taken, *others = entries(page)
    assert undone.startswith("Undone: Round 3 was recorded. Round 3 counts no more.")
    assert taken.startswith("<s>Round 3 was recorded.</s> Taken back. ")
    assert not [entry for entry in others if "<s>" in entry]
    again, undone, taken, *_ = entries(presses(played, "Do it again"))
    assert again.startswith("Done again: Round 3 was recorded. Round 3 counts as: Aki −8,")
    assert undone.startswith("<s>Undone: Round 3 was recorded.</s> Done again since.")
    assert taken.startswith("Round 3 was recorded. Aki −8,")


def test_two_taps_take_one_thing_back(played: Phone) -> None:
    page = played.opens("/history")
    form = next(form for form in page.forms if undoes(form) == pressed(page, "Take this back"))
    assert form.presses().saved
    version = ledger.read(played.id).version
    assert form.presses().saved
    assert ledger.read(played.id).version == version


def test_taken_back_however_long_ago(played: Phone) -> None:
    """What can be taken back need not be on the first page."""
    for _ in range(30):
        played.records(100, 84, 80)
    for _ in range(30):
        ledger.undo(played.id, ledger.read(played.id).undoable or 0)
    undoable = ledger.read(played.id).undoable
    page = played.opens(f"/history?before={(undoable or 0) + 1}")
    form = next(form for form in page.forms if undoes(form) == undoable)
    assert form.presses().saved
    assert len(ledger.read(played.id).rounds) == 2


@pytest.mark.parametrize("event", ["0", "99", "99999999999999999999"])
def test_no_such_event(played: Phone, event: str) -> None:
    form = next(form for form in played.opens("/history").forms if undoes(form))
    form.path = f"{played.series}/undo/{event}"
    before = everything()
    assert form.presses().status == 404
    assert everything() == before


# --- Who and when ---------------------------------------------------------------------------------


def test_an_entry_says_on_which_day_it_was(table: Table, joined: Callable[..., Phone]) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    at = ledger.history(table.id)[0].at
    when = f'<time class="moment" datetime="{at.isoformat()}">{at:%Y-%m-%d %H:%M} UTC</time>'
    assert when in joined(Role.VIEW).opens("/history").text


def test_the_host_is_asked_beside_the_codes_who_they_are(scorer: Phone) -> None:
    assert entries(scorer.opens("/history"))[-1].endswith("· phone 1")
    form = scorer.opens("/share").form
    assert form.path == f"{scorer.series}/who"
    done = form.presses("player", "2")
    assert done.answer.location == f"{scorer.series}/share"
    assert "Which of these are you" not in done.follows().text
    assert entries(scorer.opens("/history"))[-1].endswith("· Ben’s phone")


def test_the_host_may_be_none_of_them_and_is_not_asked_again(scorer: Phone) -> None:
    assert scorer.opens("/share").form.presses("player", "nobody").saved
    assert "Which of these are you" not in scorer.opens("/share").text


def test_who_only_watches_is_not_asked(scorer: Phone, phones: Callable[[], Phone]) -> None:
    watcher = phones().joins(scorer.id, Role.VIEW)
    assert "Which of these are you" not in watcher.opens("/share").text


def test_a_phone_is_called_the_same_everywhere(scorer: Phone, phones: Callable[[], Phone]) -> None:
    stranger = phones()
    stranger.starts("kaga", "Dai", "Emi")
    guest = phones().joins(scorer.id)
    guest.records(100, 84, 80)
    assert "phone 2" in scorer.opens("/history").text
    assert "phone 2" in scorer.opens("/phones").text
    guest.opens("/who").form.presses("player", "2")
    for path in ("/history", "/phones"):
        assert "<bdi>Ben</bdi>’s phone" in scorer.opens(path).text


# --- Withdrawing ----------------------------------------------------------------------------------


def test_a_round_is_withdrawn_with_a_reason_and_the_scoreboard_says_so(played: Phone) -> None:
    form = played.opens("/rounds/3/withdraw").form
    done = form.types(reason="counted <b>twice</b>").presses()
    assert done.answer.location == f"{played.series}?withdrawn=3"
    assert "Round 3 was withdrawn." in done.follows().text
    assert "“<bdi>counted &lt;b&gt;twice&lt;/b&gt;</bdi>”" in played.opens("/history").text


def test_without_one_too(played: Phone) -> None:
    assert played.opens("/rounds/3/withdraw").form.presses().saved
    assert ledger.history(played.id)[0].reason is None


def test_a_reason_that_is_too_long_is_kept_in_the_form(played: Phone) -> None:
    before = everything()
    page = played.opens("/rounds/3/withdraw").form.types(reason="x" * 201).presses()
    assert page.wrong == {"A reason has at most 200 characters.": "reason"}
    assert page.form.fields["reason"] == "x" * 201
    assert everything() == before


@pytest.mark.parametrize("number", ["1", "9", "-1", "x", ""])
def test_what_was_not_withdrawn_is_not_said(played: Phone, number: str) -> None:
    assert "was withdrawn." not in played.opens(f"?withdrawn={number}").text
