"""The rule sheet of a table, made from the game's value and the table's house rules.

A sheet is a few sections, each of sentences and of rows under headings. What stands in a row knows
its name in every language, and a set of cards is a set of cards, so that a page may draw it:

>>> from scorekeeper.rules.games import GAMES
>>> from scorekeeper.rules.sentence import shown
>>> for row in sheet(GAMES["bakappana"], {"chaff": 0}).section("values").rows:
...     print(*map(shown, row))
bright 20
animal 10
ribbon 5

Nothing here knows a game: whatever a sheet should say, its game has to state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.cards import OF_KIND, WHOLE_DECK, Cards, Kind
from scorekeeper.rules.game import Game
from scorekeeper.rules.sentence import Sentence, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU, Yaku

Cell = Sentence | Yaku | Kind | Cards | int
"""What stands in a row."""


@dataclass(frozen=True)
class Section:
    """One heading of a sheet: what is to be said, and rows with a cell for each column."""

    key: str
    title: Sentence
    sentences: tuple[Sentence, ...] = ()
    columns: tuple[Sentence, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()

    @property
    def filled(self) -> tuple[int, ...]:
        """The columns in which some row has more than no cards."""
        columns = range(len(self.columns))
        return tuple(at for at in columns if any(row[at] != Cards() for row in self.rows))


@dataclass(frozen=True)
class Sheet:
    """The rules of one table; ``game`` is the game as it is played there."""

    game: Game
    sections: tuple[Section, ...]

    def section(self, key: str) -> Section:
        """The section with this key; raises KeyError for one that this table does not need."""
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(key)


def sheet(game: Game, rules: Mapping[str, Any], since: Mapping[str, int] | None = None) -> Sheet:
    """The sheet of a table that states the house rules which differ; raises ``unknown_rule``.

    ``since`` has the round from which on a house rule holds that was changed between two.
    """
    whole = game.whole_rules(rules)
    table = game.under(whole)
    sections = (
        _differences(game, whole, since or {}),
        Section("goes", say("How it goes"), table.goes),
        _deals(table),
        _values(table),
        *(_yaku(table, kind) for kind in CLASSES),
        Section("voids", say("What is void"), tuple(dict.fromkeys(table.voids))),
        _house_rules(game, whole),
    )
    return Sheet(table, tuple(one for one in sections if one.sentences or one.rows))


def stated(game: Game, rules: Mapping[str, Any]) -> list[Sentence]:
    """House rules with their choices, in words; as written where the game has none for them.

    >>> from scorekeeper.rules.games import GAMES
    >>> stated(GAMES["hachi-hachi"], {"sage_penalty": "none"})
    [say('Playing on, and losing: nothing')]
    """
    return [
        say("%(rule)s: %(choice)s", **game.in_words(key, value)) for key, value in rules.items()
    ]


def _here(label: Sentence, since: int | None) -> Sentence:
    """The choice of a table, and from which round on it holds."""
    if since is None:
        return label
    return say("%(choice)s, from round %(number)s on", choice=label, number=since)


def _differences(game: Game, rules: Mapping[str, Any], since: Mapping[str, int]) -> Section:
    rows = tuple(
        (rule.name, _here(choice.label, since.get(rule.key)), rule.choices[0].label)
        for rule in game.house_rules
        if (choice := rule.choice(rules[rule.key])) is not rule.choices[0]
    )
    return Section(
        "differences",
        say("What this table plays differently"),
        () if rows else (say("Nothing: this table plays by the usual rules."),),
        (say("House rule"), say("Here"), say("Usually")) if rows else (),
        rows,
    )


def _deals(game: Game) -> Section:
    return Section(
        "deals",
        say("The deal"),
        (),
        (say("Number of players"), say("To each hand"), say("Into the field"), say("In the pile")),
        tuple((players, *deal) for players, deal in game.deals.items()),
    )


def _values(game: Game) -> Section:
    rows: list[tuple[Cell, ...]] = []
    valued = Cards()
    for value, cards in game.values.worth:
        kind = next((kind for kind in Kind if OF_KIND[kind] == cards), None)
        rows.append((cards if kind is None else kind, value))
        valued |= cards
    sentences = [say("The whole deck has %(total)s card points.", total=game.values.total)]
    if valued != WHOLE_DECK:
        sentences.append(say("All other cards have none."))
    return Section(
        "values",
        say("Card points"),
        tuple(sentences),
        (say("Card"), say("Points")),
        tuple(rows),
    )


_TITLES = {
    TEYAKU: say("Teyaku: in the dealt hand"),
    DEKIYAKU: say("Dekiyaku: in the captured cards"),
    SPECIAL: say("Special yaku: counted at the end"),
}
_BEST_ALONE = {
    TEYAKU: say("Of several teyaku, a player is paid the best alone."),
    DEKIYAKU: say("Of several dekiyaku, a player is paid the best alone."),
    SPECIAL: say("Of several special yaku, a player is paid the best alone."),
}


def _yaku(game: Game, kind: str) -> Section:
    listed = game.by_kind[kind]
    sentences = []
    if listed and kind in game.pays:
        sentences.append(game.pays[kind])
    sentences += _exclusions(game, kind)
    return Section(
        kind,
        _TITLES[kind],
        tuple(sentences),
        (say("Yaku"), say("Cards"), say("What it is"), say("Value")),
        tuple((one, one.cards, one.sentence, _value(one)) for one in listed),
    )


def _exclusions(game: Game, kind: str) -> Iterator[Sentence]:
    """Which yaku of a class are not paid beside each other."""
    listed = game.by_kind[kind]
    if len(listed) < 2:
        return
    if kind in game.only_best:
        yield _BEST_ALONE[kind]
        return
    if kind in game.only_first:
        yield say("Only the first of these that applies is paid.")
        return
    groups: dict[str, list[Yaku]] = {}
    for one in listed:
        if one.group is not None:
            groups.setdefault(one.group, []).append(one)
    excluding = [group for group in groups.values() if len(group) > 1]
    for group in excluding:
        yield say("Of these, a player is paid the best alone: %(yaku)s.", yaku=group)
    yield say("Otherwise they add up.") if excluding else say("They add up.")


def _value(yaku: Yaku) -> Cell:
    """What a yaku is worth, in one cell."""
    if yaku.further:
        return say(
            "%(first)s, and %(further)s for each further one",
            first=yaku.first,
            further=yaku.further,
        )
    if yaku.each_extra and yaku.per is not None:
        return say(
            "%(first)s, and %(more)s more %(per)s",
            first=yaku.first,
            more=yaku.each_extra,
            per=yaku.per,
        )
    return yaku.first


def _house_rules(game: Game, rules: Mapping[str, Any]) -> Section:
    return Section(
        "house_rules",
        say("House rules"),
        (),
        (say("House rule"), say("Here"), say("What it is about")),
        tuple(
            (rule.name, rule.choice(rules[rule.key]).label, rule.sentence)
            for rule in game.house_rules
        ),
    )
