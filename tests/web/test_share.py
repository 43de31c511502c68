"""The codes and links that let other phones in."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zxingcpp
from flask import Flask
from PIL import Image, ImageDraw

from scorekeeper import ledger
from scorekeeper.ledger import Role, codes
from scorekeeper.ledger.chain import now
from tests.conftest import everything, running
from tests.web.conftest import Form, Page, Phone


def links(page: Page) -> list[str]:
    return re.findall(r'<code class="link">(.*?)</code>', page.text)


def secrets(series: str, *roles: Role) -> list[str]:
    return [f"http://localhost/j#{ledger.secret_for(series, role)}" for role in roles]


@pytest.mark.parametrize(
    ("role", "sees"),
    [
        (Role.VIEW, [Role.VIEW]),
        (Role.ENTER, [Role.ENTER, Role.VIEW]),
        (Role.MANAGE, [Role.ENTER, Role.VIEW, Role.MANAGE]),
    ],
)
def test_a_phone_sees_its_own_link_and_weaker_ones(
    scorer: Phone, phones: Callable[[], Phone], role: Role, sees: list[Role]
) -> None:
    page = phones().joins(scorer.id, role).opens("/share")
    assert links(page) == secrets(scorer.id, *sees)
    for other in set(Role) - set(sees):
        assert ledger.secret_for(scorer.id, other) not in page.text


def test_each_code_says_what_is_written_under_it(scorer: Phone) -> None:
    page = scorer.opens("/share")
    codes = re.findall(r'viewBox="0 0 (\d+) \d+".*?<path d="(.*?)"', page.text)
    assert [scanned(int(size), path) for size, path in codes] == links(page)


def scanned(size: int, path: str) -> str:
    """What a camera reads off a code."""
    image = Image.new("L", (size * 4, size * 4), "white")
    draw = ImageDraw.Draw(image)
    for x, y in re.findall(r"M(\d+) (\d+)", path):
        left, top = int(x) * 4, int(y) * 4
        draw.rectangle((left, top, left + 3, top + 3), fill="black")
    (code,) = zxingcpp.read_barcodes(image)
    return code.text


def test_an_address_of_this_machine_alone_is_warned_of(scorer: Phone) -> None:
    assert "This address works on this machine only." in scorer.opens("/share").text


@pytest.fixture
def public(migrated: Path, tmp_path: Path) -> Iterator[Flask]:
    """A server that knows its public address."""
    yield from running({"DATA": tmp_path, "PUBLIC_URL": "https://score.example.org/hana/"})


def test_links_lead_to_the_public_address(public: Flask) -> None:
    phone = Phone(public)
    phone.starts("kaga", "Aki", "Ben")
    shown = links(phone.opens("/share"))
    assert {link.partition("#")[0] for link in shown} == {"https://score.example.org/hana/j"}


def test_a_public_address_is_not_warned_of(public: Flask) -> None:
    phone = Phone(public)
    phone.starts("kaga", "Aki", "Ben")
    assert "This address works on this machine only." not in phone.opens("/share").text


def test_a_forged_host_leads_nobody_astray(public: Flask) -> None:
    phone = Phone(public)
    phone.starts("kaga", "Aki", "Ben")
    page = phone.sends("GET", f"{phone.series}/share", headers={"Host": "evil.example"})
    assert "evil.example" not in page.text


def test_forwarding_headers_are_not_believed(scorer: Phone) -> None:
    headers = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    page = scorer.sends("GET", f"{scorer.series}/share", headers=headers)
    assert {link.partition("#")[0] for link in links(page)} == {"http://localhost/j"}


def test_looking_changes_nothing(scorer: Phone) -> None:
    before = everything()
    scorer.opens("/share")
    assert everything() == before


def test_somebody_elses_codes(scorer: Phone, phones: Callable[[], Phone]) -> None:
    stranger = phones()
    page = stranger.opens(f"{scorer.series}/share")
    assert (page.status, page.text) == (404, stranger.opens("/s/AAAAAAAAAAAA/share").text)


def test_wrong_method(scorer: Phone) -> None:
    assert scorer.sends("POST", f"{scorer.series}/share").status in (400, 405)


# --- Short codes ----------------------------------------------------------------------------------


def buttons(page: Page, of: str) -> dict[str, Form]:
    """The forms of a page that lead to `/OF/...`, by the end of where they lead."""
    return {form.path.rpartition("/")[2]: form for form in page.forms if f"/{of}/" in form.path}


def codes_shown(page: Page) -> list[str]:
    return re.findall(r'<code class="short">(.*?)</code>', page.text)


@pytest.mark.parametrize(
    ("role", "offers"),
    [(Role.VIEW, {"view"}), (Role.ENTER, {"view", "enter"}), (Role.MANAGE, {"view", "enter"})],
)
def test_a_short_code_of_the_own_role_and_weaker_ones(
    scorer: Phone, phones: Callable[[], Phone], role: Role, offers: set[str]
) -> None:
    page = phones().joins(scorer.id, role).opens("/share")
    assert set(buttons(page, "codes")) == offers
    assert codes_shown(page) == []


def test_a_short_code_is_shown_until_it_ends(
    scorer: Phone, phones: Callable[[], Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = buttons(scorer.opens("/share"), "codes")["enter"].presses()
    assert done.answer.location == f"{scorer.series}/share#enter"
    page = scorer.opens("/share")
    (code,) = codes_shown(page)
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4} [0-9A-HJKMNP-TV-Z]{4}", code)
    assert "good for 10 more minutes" in page.text or "good for 9 more minutes" in page.text
    assert codes_shown(scorer.opens("/share")) == [code]
    assert codes_shown(phones().joins(scorer.id, Role.VIEW).opens("/share")) == []
    assert phones().opens("/j").form.types(link=code).presses().saved
    monkeypatch.setattr(codes, "now", lambda: now() + codes.LIFE)
    assert codes_shown(scorer.opens("/share")) == []


def test_a_short_code_and_where_to_type_it_stand_apart(scorer: Phone) -> None:
    buttons(scorer.opens("/share"), "codes")["enter"].presses()
    typed = scorer.opens("/share").text.partition('id="typed-enter"')[2]
    address, code = re.findall(r'^ *<code class="(?:place|short)">(.*?)</code>$', typed, re.M)
    assert (address, len(code)) == ("http://localhost/j", 9)


@pytest.mark.parametrize("role", ["enter", "manage", "nothing"])
def test_no_short_code_of_a_stronger_role(
    scorer: Phone, phones: Callable[[], Phone], role: str
) -> None:
    watcher = phones().joins(scorer.id, Role.VIEW)
    token = watcher.opens("/share").form.fields["csrf_token"]
    before = everything()
    path = f"{scorer.series}/codes/{role}"
    assert watcher.sends("POST", path, data={"csrf_token": token}).status == 404
    assert everything() == before


def test_the_hosts_link_has_no_short_code(scorer: Phone) -> None:
    token = scorer.opens("/share").form.fields["csrf_token"]
    path = f"{scorer.series}/codes/manage"
    assert scorer.sends("POST", path, data={"csrf_token": token}).status == 404


# --- Taking a code back ---------------------------------------------------------------------------


def test_a_code_that_is_taken_back_ends_and_another_is_shown(
    scorer: Phone, phones: Callable[[], Phone]
) -> None:
    guest, watcher = phones().joins(scorer.id), phones().joins(scorer.id, Role.VIEW)
    old = ledger.secret_for(scorer.id, Role.ENTER)
    done = buttons(scorer.opens("/share"), "secrets")["enter"].presses()
    assert done.answer.location == f"{scorer.series}/share#enter"
    assert guest.opens().status == 404
    assert watcher.opens().status == scorer.opens().status == 200
    assert old not in scorer.opens("/share").text
    assert ledger.secret_for(scorer.id, Role.ENTER) in scorer.opens("/share").text
    assert "The code to score was replaced by a new one." in scorer.opens("/history").text


def test_the_hosts_link_is_handed_on(scorer: Phone, phones: Callable[[], Phone]) -> None:
    """Another phone becomes the manager, and keeps the series from the first one."""
    heir = phones().joins(scorer.id, Role.MANAGE)
    assert buttons(heir.opens("/share"), "secrets")["manage"].presses().saved
    assert heir.opens("/manage").status == 200
    assert scorer.opens().status == 404


def test_a_second_tap_takes_nothing_more_back(scorer: Phone) -> None:
    button = buttons(scorer.opens("/share"), "secrets")["view"]
    button.presses()
    before = everything()
    assert button.presses().saved
    assert everything() == before


@pytest.mark.parametrize("role", [Role.VIEW, Role.ENTER])
def test_only_who_manages_takes_back(
    scorer: Phone, phones: Callable[[], Phone], role: Role
) -> None:
    guest = phones().joins(scorer.id, role)
    page = guest.opens("/share")
    assert not buttons(page, "secrets")
    before = everything()
    for one in Role:
        data = {"csrf_token": page.form.fields["csrf_token"], "generation": "1"}
        assert guest.sends("POST", f"{scorer.series}/secrets/{one}", data=data).status == 403
    assert everything() == before


def test_without_its_token_nothing_is_taken_back(scorer: Phone) -> None:
    forms = buttons(scorer.opens("/share"), "secrets") | buttons(scorer.opens("/share"), "codes")
    before = everything()
    for form in forms.values():
        form.types(csrf_token=None).presses()
    assert everything() == before
