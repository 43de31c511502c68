"""What may have been forgotten or mistaken in a round: asked at the table, never decided here.

A hint is a sentence and the taps that it saves: fields of the form of a round with the values they
would get, as if somebody had tapped them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.ledger import Person
from scorekeeper.rules.cards import Cards
from scorekeeper.rules.game import MUST_STOP
from scorekeeper.rules.parity import Known, Parity
from scorekeeper.rules.pile import IN_DECK, KIND_MASKS, Pile
from scorekeeper.rules.result import Result
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.rules.yaku import DEKIYAKU, SPECIAL, Yaku


@dataclass(frozen=True)
class Hint:
    """Something to ask, and the fields that one tap fills in if the answer is yes."""

    sentence: Sentence
    yes: Sentence
    taps: tuple[tuple[str, str], ...]


def hints(result: Result, seated: Sequence[Person]) -> Iterator[Hint]:
    """What to ask about a round that was counted."""
    tally = result.tally
    if tally.stopper is None and result.amounts is not None:
        for at, (person, pile) in enumerate(zip(seated, tally.piles, strict=True)):
            if pile is not None and pile.form == "counts":
                yield from _of_counts(result, at, person, pile)
    if result.warnings:
        yield from _mends(result, seated)


def _of_counts(result: Result, at: int, person: Person, pile: Pile) -> Iterator[Hint]:
    """Yaku that the counts prove, or are one card short of proving."""
    tally, game = result.tally, result.game
    taken = {formed.yaku.key for formeds in tally.yaku[DEKIYAKU] for formed in formeds}
    for yaku in game.by_kind[DEKIYAKU]:
        needed = yaku.needed or len(yaku.cards)
        least = _at_least(pile, yaku.cards)
        if not needed or yaku.key in taken or least < needed - 1 or yaku.pattern(pile) == 0:
            continue
        values = {"name": Name(person.name), "yaku": yaku}
        claim = (f"p{person.id}-{DEKIYAKU}", yaku.key)
        if game.ending == MUST_STOP:
            ended = (("end", "stopped"), ("stopped_by", str(person.id)), claim)
            yield Hint(say("Did %(name)s end the round with %(yaku)s?", **values), _YES, ended)
        elif least >= needed:
            yield Hint(say("By these counts %(name)s has %(yaku)s.", **values), _NOTE, (claim,))
        else:
            yield Hint(say("Has %(name)s %(yaku)s?", **values), _YES, (claim,))
    found = any(tally.yaku[SPECIAL])
    for yaku in game.by_kind[SPECIAL]:
        if yaku.claimable and not found and yaku.pattern(pile) is None:
            yield _willow(yaku, person)


_YES = say("Yes")
_NOTE = say("Note it")


def _willow(yaku: Yaku, person: Person) -> Hint:
    """Counts cannot tell whether a pile has the willow cards that make a special yaku."""
    sentence = say(
        "%(name)s: with willow cards in the pile it can be %(yaku)s. Is it?",
        name=Name(person.name),
        yaku=yaku,
    )
    return Hint(sentence, _YES, ((f"p{person.id}-{SPECIAL}", yaku.key),))


def _at_least(pile: Pile, cards: Cards) -> int:
    """How many of these cards are in a pile for certain, as its counts say."""
    if pile.counts is None:
        return 0
    return sum(
        max(0, count - (have - (cards.mask & mask).bit_count()))
        for mask, count, have in zip(KIND_MASKS, pile.counts, IN_DECK, strict=True)
        if cards.mask & mask
    )


def _mends(result: Result, seated: Sequence[Person]) -> Iterator[Hint]:
    """Single cards that, given to another player, would make a month even in all piles."""
    piles = result.tally.piles
    months = {warned.month for warned in result.warnings}
    if not months - {None} or any(pile is None or pile.form != "captured" for pile in piles):
        return
    names: dict[int | None, Name] = {at: Name(one.name) for at, one in enumerate(seated)}
    whole = result.game.needs_whole_deck(len(piles)) and result.tally.stopper is None
    for month, mends in Parity([Known.of(pile) for pile in piles], whole).mends.items():
        for mend in mends:
            if month not in months or len(mend) != 1:
                continue
            card, giver, taker = mend[0]
            if taker is None:
                sentence = say("Or has %(giver)s not the %(card)s?", giver=names[giver], card=card)
            elif giver is None:
                sentence = say("Or has %(taker)s the %(card)s, too?", taker=names[taker], card=card)
            else:
                sentence = say(
                    "Or has %(taker)s the %(card)s, not %(giver)s?",
                    taker=names[taker],
                    card=card,
                    giver=names[giver],
                )
            owner = "" if taker is None else str(seated[taker].id)
            yield Hint(sentence, _YES, ((f"card-{card.text}", owner),))
