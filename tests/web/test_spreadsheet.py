"""The scores as a file for a spreadsheet. Sources: RFC 4180, cases 9, 12, 19 and 20."""

import csv
import io
from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table
from tests.web.conftest import Phone

Joined = Callable[..., Phone]


@pytest.fixture
def downloads(joined: Joined) -> Callable[..., str]:
    """What a phone that may only watch gets, as it comes, or in another language."""

    def asks(language: str = "en") -> str:
        phone = joined(Role.VIEW)
        answer = phone.sends("GET", phone.at("/scores.csv"), headers={"Accept-Language": language})
        return answer.answer.get_data().decode("utf-8")

    return asks


def rows(file: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(file.removeprefix("\ufeff"), newline=""), strict=True))


def test_rounds_totals_and_places(table: Table, downloads: Callable[..., str]) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(end="void")
    table.records(88, 92, 84)
    assert downloads() == (
        "\ufeffRound,Dealer,Ended,Counted in,Aki,Ben,Chie,"
        "Aki: card points,Ben: card points,Chie: card points\r\n"
        "1,Aki,counted,points,12,-4,-8,100,84,80\r\n"
        "2,Aki,no result,points,,,,,,\r\n"
        "3,Aki,counted,points,0,4,-4,88,92,84\r\n"
        "Total,,,points,12,0,-12\r\n"
        "Place,,,points,1,2,3\r\n"
    )


def test_nothing_is_played_yet(table: Table, downloads: Callable[..., str]) -> None:
    table.start("kaga", "Aki", "Ben")
    head, total = rows(downloads())
    assert head[:6] == ["Round", "Dealer", "Ended", "Counted in", "Aki", "Ben"]
    assert total == ["Total", "", "", "points", "0", "0"]


def test_who_had_no_part_has_nothing_there(table: Table, downloads: Callable[..., str]) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    ledger.add_player(table.id, "Dora")
    table.records(100, 84, 80, who="Aki Ben Dora")
    _, first, second, total, place = rows(downloads())
    assert first[4:8] == ["12", "-4", "-8", ""]
    assert second[4:8] == ["12", "-4", "", "-8"]
    assert total[4:] == ["24", "-8", "-8", "-8"]
    assert place[4:] == ["1", "2", "2", "2"]


def test_a_pile_that_was_not_counted(table: Table, downloads: Callable[..., str]) -> None:
    table.start("yokohama-bana", "Aki", "Ben", "Chie")
    seats = table.document()["seats"]
    seats[0]["dekiyaku"] = ["aotan"]
    stopped = {"number": 1, "end": "stopped", "stopped_by": 0, "seats": seats}
    played = ledger.record(table.id, stopped).round
    _, first, *_ = rows(downloads())
    assert first[2] == "ended by a dekiyaku"
    assert first[4:7] == [str(amount) for amount in played.result["amounts"]]
    assert first[7:] == ["", "", ""]


def test_points_and_shares_stand_apart(table: Table, downloads: Callable[..., str]) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(100, 84, 80)
    _, *found = rows(downloads())
    assert [row[:1] + row[3:7] for row in found] == [
        ["1", "points", "12", "-4", "-8"],
        ["2", "shares", "2", "-1", "-1"],
        ["Total", "points", "12", "-4", "-8"],
        ["Place", "points", "1", "2", "3"],
        ["Total", "shares", "2", "-1", "-1"],
        ["Place", "shares", "1", "2", "2"],
    ]


def test_a_correction_is_in_it_at_once(table: Table, downloads: Callable[..., str]) -> None:
    """Case 12."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    for points in (100, 84, 80), (88, 92, 84), (80, 84, 100), (90, 90, 84):
        table.records(*points)
    table.corrects(2, 98, 82, 84)
    _, _, second, _, _, total, place = rows(downloads())
    assert second[4:] == ["10", "-6", "-4", "98", "82", "84"]
    assert total[4:] == ["16", "-12", "-4"]
    assert place[4:] == ["1", "3", "2"]


def test_a_name_is_no_formula_and_a_loss_is_a_number(
    table: Table, downloads: Callable[..., str]
) -> None:
    """Case 20."""
    names = ["=1+1", "＝SUM(A1)", "-5"]
    table.start("bakappana", *names)
    table.records(80, 120, 64)
    head, first, *_ = rows(downloads())
    assert head[4:7] == [f"'{name}" for name in names]
    assert head[7] == "'=1+1: card points"
    assert first[1] == "'=1+1"
    assert first[4:7] == ["-8", "32", "-24"]


def test_names_of_any_kind_are_readable(table: Table, downloads: Callable[..., str]) -> None:
    """Case 19: Excel knows the letters by the mark at the start, and nothing else has it."""
    table.start("bakappana", "太郎", 'José, "Pepe"', "ゆき")
    file = downloads()
    assert file.startswith("\ufeff")
    assert file.count("\ufeff") == 1
    assert file.count("\n") == file.count("\r\n") == len(rows(file))
    assert rows(file)[0][4:7] == ["太郎", 'José, "Pepe"', "ゆき"]


def test_in_japanese(table: Table, downloads: Callable[..., str]) -> None:
    table.start("bakappana", "太郎", "ゆき")
    table.records(100, 164)
    head, first, total, place = rows(downloads("ja"))
    assert head == ["局", "親", "終わり方", "単位", "太郎", "ゆき", "太郎：札点", "ゆき：札点"]
    assert first[2:4] == ["計算", "点"]
    assert (total[0], place[0]) == ("合計", "順位")


def test_it_is_a_file_with_a_name(table: Table, joined: Joined) -> None:
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    table.records(100, 84, 80, field="1C1")
    phone = joined(Role.VIEW)
    assert f"{phone.series}/scores.csv" in phone.opens().links
    answer = phone.opens("/scores.csv").answer
    started = table.book.created_at
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == (
        f"attachment; filename=hachi-hachi-{started:%Y-%m-%d}.csv"
    )
