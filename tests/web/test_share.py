"""The codes and links that let other phones in."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zxingcpp
from flask import Flask
from PIL import Image, ImageDraw

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import everything, running
from tests.web.conftest import Page, Phone


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
