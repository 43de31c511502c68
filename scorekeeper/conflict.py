"""What others did to a round while it was typed here, and what can be done about it.

    met = meet(book, form, correcting)
    conflict = show(book, met, typed(book, met, form, result), device, role)
    conflict.sentence, conflict.sides, conflict.rows, conflict.choices

The first one wins, and nobody's typing is lost: whoever comes second sees both rounds side by side
and chooses. A choice carries the round and the revision that were seen, as in "keep 5.2", so that
whatever changed between seeing and choosing is shown first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from scorekeeper import ledger
from scorekeeper.ledger import Book, Proposal, Role, Round
from scorekeeper.ledger.book import figures
from scorekeeper.ledger.chronicle import step_of
from scorekeeper.ledger.differing import Row, compare, same_round
from scorekeeper.ledger.entry import entry_of, settled
from scorekeeper.ledger.past import Happened
from scorekeeper.ledger.standing import FINISHED
from scorekeeper.round_form import RoundForm
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import answer, whole_number
from scorekeeper.rules.result import Result
from scorekeeper.rules.sentence import Name, Sentence, say

# --- Meeting it -----------------------------------------------------------------------------------


class Meanwhile(StrEnum):
    """What others did while a round was typed."""

    RECORDED = "recorded"
    CORRECTED = "corrected"
    WITHDRAWN = "withdrawn"
    SKIPPED = "skipped"  # a round before it was withdrawn
    FINISHED = "finished"  # the series was
    LEFT = "left"  # somebody who plays in it
    WAITS = "waits"  # for a yes, what another phone proposed


@dataclass(frozen=True)
class Met:
    """What a round that was typed meets.

    `number` is its own; `current` what is recorded under it (None where nothing is) and `seen`
    the revision that was looked at when it was typed (0: none). `player` is who has left. Where
    another phone's `proposal` waits, `current` is what would be recorded (None where it could not
    be any more).
    """

    kind: Meanwhile
    number: int
    current: Round | None = None
    seen: int = 0
    player: int | None = None
    proposal: Proposal | None = None

    @property
    def revision(self) -> int:
        """The revision there is now, 0 where there is none; of what waits, its change."""
        if self.proposal is not None:
            return self.proposal.change
        return self.current.revision if self.current else 0

    def settled_as(self, book: Book) -> int:
        """The number by whose house rules and multipliers the round that was typed is settled."""
        return min(self.number, book.next_number)


def meet(
    book: Book,
    form: RoundForm,
    correcting: int | None,
    proposal: Proposal | None = None,
    *,
    withdrawn: bool = False,
) -> Met | None:
    """What the round in a form meets, None where nothing is in its way.

    `correcting` is the number of the round that it corrects, None for one that is to be recorded;
    `proposal` is what another phone wants to be recorded next, while that waits for a yes.
    `withdrawn` says that the ledger knows it: it was recorded from here, and is gone.
    """
    if correcting is not None:
        current, seen = book.round(correcting), whole_number(form.revision.data) or 0
        if current is None:
            return Met(Meanwhile.WITHDRAWN, correcting, seen=seen)
        if current.revision == seen:
            return None
        return Met(Meanwhile.CORRECTED, correcting, current, seen)
    number = whole_number(form.number.data) or book.next_number
    if (current := book.round(number)) is not None:
        return Met(Meanwhile.RECORDED, number, current)
    if book.finished:
        return Met(Meanwhile.FINISHED, number)
    if number > book.next_number:
        return Met(Meanwhile.SKIPPED, number)
    if withdrawn:
        return Met(Meanwhile.WITHDRAWN, number)
    if gone := next((person.id for person in form.seated if person.left), None):
        return Met(Meanwhile.LEFT, number, player=gone)
    if proposal is not None and number == book.next_number:
        return Met(Meanwhile.WAITS, number, _proposed(book, proposal), proposal=proposal)
    return None


def _proposed(book: Book, proposal: Proposal) -> Round | None:
    """The round that waits as if it were recorded; None where that is refused by now."""
    number = book.next_number
    try:
        entry = entry_of(book, proposal.document, number)
        change = settled(book, number, entry, proposal.at, proposal.device)
    except RuleError:
        return None
    return change.after and replace(change.after, revision=0)


def typed(book: Book, met: Met, form: RoundForm, result: Result | None) -> Round | None:
    """The round in a form as if it were recorded; None where its result is not there, or open."""
    if result is None or result.amounts is None:
        return None
    entry = entry_of(book, form.document(), met.settled_as(book))
    return Round(met.number, 0, entry, figures(answer(result)), None, datetime.now(UTC))


# --- Choosing -------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """A choice that was made: a verb, the round it is about, and the revision that was seen.

    keep      what is recorded stays, and what was typed is dropped
    correct   what was typed becomes a correction of that revision
    over      the same, and is saved at once where its figures were seen
    as        what was typed becomes the round with this number
    reopen    the finished series goes on
    return    a player comes back (whose number it is)
    yes       what waits is recorded, and what was typed is dropped
    then      what waits is recorded, and what was typed becomes the next round
    back      what waits is given back to its phone, and what was typed can be proposed

    Of what waits, the change that was seen stands for the revision. `over` gives it back and lets
    what was typed wait instead.
    """

    verb: str
    number: int
    revision: int

    def __str__(self) -> str:
        return f"{self.verb} {self.number}.{self.revision}"


def chosen(text: str | None) -> Chosen | None:
    """Reads a choice as a button sends it."""
    found = re.fullmatch(r"([a-z]+) ([0-9]{1,9})\.([0-9]{1,9})", text or "")
    return Chosen(found[1], int(found[2]), int(found[3])) if found else None


@dataclass(frozen=True)
class Choice:
    """A button."""

    value: Chosen
    label: Sentence


# --- Showing it -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """One of the rounds that stand side by side: whose it is and since when."""

    title: Sentence
    at: datetime | None
    reason: str | None

    @property
    def today(self) -> bool:
        """Whether the hour alone says when that was."""
        return self.at is not None and self.at.date() == datetime.now(UTC).date()


@dataclass(frozen=True)
class Conflict:
    """What is shown of it: `same` says that both came to the same, and nothing is lost.

    `rows` are those of a table with a column for each side; whatever differs between the last two
    sides is marked in them, and a side that is alone in all of them. `back` is the choice that a
    word on why goes with.
    """

    met: Met
    sentence: Sentence
    same: bool
    sides: tuple[Side, ...]
    rows: tuple[Row, ...]
    choices: tuple[Choice, ...]
    back: Choice | None


def show(book: Book, met: Met, mine: Round | None, device: int | None, role: Role) -> Conflict:
    """Puts what there is beside what was typed, which is `mine` as far as it can be settled."""
    same = mine is not None and met.current is not None and same_round(met.current, mine)
    teller = _Teller(book, device)
    sides = list(teller.sides(met, mine))
    back = None
    if met.kind == Meanwhile.WAITS and not same:
        back = Choice(Chosen("back", met.number, met.revision), say("Give theirs back"))
    return Conflict(
        met,
        _headline(met, teller, same),
        same,
        tuple(side for side, _ in sides),
        tuple(
            replace(row, differs=False) if same else row
            for row in compare(book, [played for _, played in sides])
        ),
        tuple(_choices(book, met, role, same)),
        back,
    )


def _headline(met: Met, teller: _Teller, same: bool) -> Sentence:
    number = met.number
    match met.kind:
        case Meanwhile.RECORDED if same:
            return say("The same round was recorded already.")
        case Meanwhile.CORRECTED if same:
            return say("The same correction was saved already.")
        case Meanwhile.WAITS if same:
            return say("The same round waits for a yes already.")
        case Meanwhile.RECORDED:
            return say("Round %(number)s is recorded already.", number=number)
        case Meanwhile.CORRECTED if teller.anew(met):
            return say(
                "Round %(number)s was withdrawn meanwhile and recorded again.", number=number
            )
        case Meanwhile.CORRECTED:
            return say("Round %(number)s was corrected meanwhile.", number=number)
        case Meanwhile.WAITS:
            return say("Another round %(number)s waits for a yes.", number=number)
        case Meanwhile.FINISHED:
            event = teller.event(lambda event: event.data.get("state", {}).get("after") == FINISHED)
            return say("The series was finished by %(who)s.", who=teller.by(event))
        case Meanwhile.LEFT:
            name = Name(teller.book.name_of(met.player or 0))
            return say("%(name)s has left the series meanwhile.", name=name)
        case Meanwhile.SKIPPED:
            number = teller.book.next_number
    event = teller.event(lambda event: _made(event, number, None))
    if event is None:
        return say("The next round is round %(number)s.", number=number)
    who = teller.by(event)
    return say("Round %(number)s was withdrawn meanwhile by %(who)s.", number=number, who=who)


def _choices(book: Book, met: Met, role: Role, same: bool) -> Iterator[Choice]:
    number, following = met.number, book.next_number
    seen = (number, met.revision)
    if same:
        waits = met.kind == Meanwhile.WAITS
        yield (
            Choice(Chosen("yes", *seen), say("Say yes to it"))
            if waits
            else Choice(Chosen("keep", *seen), say("Good"))
        )
        return
    match met.kind:
        case Meanwhile.RECORDED:
            yield Choice(Chosen("keep", *seen), say("Keep what is recorded"))
            label = say("Correct round %(number)s to mine", number=number)
            yield Choice(Chosen("correct", *seen), label)
        case Meanwhile.CORRECTED:
            yield Choice(Chosen("keep", *seen), say("Keep theirs"))
            yield Choice(Chosen("over", *seen), say("Save mine over it"))
        case Meanwhile.WITHDRAWN:
            yield Choice(Chosen("keep", *seen), say("Leave it withdrawn"))
        case Meanwhile.FINISHED:
            yield Choice(Chosen("keep", *seen), say("Leave mine out"))
            if role.allows(Role.MANAGE):
                yield Choice(Chosen("reopen", *seen), say("Reopen the series"))
        case Meanwhile.LEFT:
            name = Name(book.name_of(met.player or 0))
            label = say("%(name)s comes back", name=name)
            yield Choice(Chosen("return", met.player or 0, 0), label)
        case Meanwhile.WAITS:
            if met.current is not None:
                yield Choice(Chosen("yes", *seen), say("Say yes to theirs"))
            yield Choice(Chosen("over", *seen), say("Propose mine instead"))
            if met.current is not None:
                label = say("Yes to theirs, mine is round %(number)s", number=number + 1)
                yield Choice(Chosen("then", *seen), label)
    others = (Meanwhile.RECORDED, Meanwhile.SKIPPED, Meanwhile.WITHDRAWN)
    if met.kind in others and not book.finished:
        again = met.kind == Meanwhile.WITHDRAWN and following == number
        label = (
            say("Record mine as round %(number)s again", number=following)
            if again
            else say("Mine is round %(number)s", number=following)
        )
        yield Choice(Chosen("as", following, 0), label)


class _Teller:
    """Tells which rounds stand side by side, and who made them what they are."""

    def __init__(self, book: Book, device: int | None) -> None:
        self.book, self.device = book, device
        self.past = ledger.chronicle(book.id)

    def event(self, wanted: Callable[[Happened], bool]) -> Happened | None:
        """The newest event that is wanted."""
        return next((one for one in reversed(self.past.events) if wanted(one)), None)

    def anew(self, met: Met) -> bool:
        """Whether the round that was looked at is gone, and another one has its number."""

        def recorded_since(event: Happened) -> bool:
            step = step_of(event, met.number) if event.kind == "recorded" else None
            return step is not None and step["after"] > met.seen > 0

        return self.event(recorded_since) is not None

    def by(self, event: Happened | None) -> Sentence:
        """Who did it."""
        if event is None or event.by is None:
            return say("a program")
        return self.phone(event.by, event.number)

    def phone(self, device: int, at: int | None = None) -> Sentence:
        return self.past.claims.called(device, self.book, self.device, at)

    def sides(self, met: Met, mine: Round | None) -> Iterator[tuple[Side, Round]]:
        """What was before, what there is now, and what was typed: as far as there is each."""
        number, revisions = met.number, self.book.revisions.get(met.number, 0)
        theirs, before = met.current, None
        if met.kind in (Meanwhile.CORRECTED, Meanwhile.WITHDRAWN):
            # What the corrector looked at; of a withdrawn round, what was withdrawn.
            seen = met.seen if met.kind == Meanwhile.CORRECTED else revisions
            before = ledger.revision_of(self.book.id, number, seen) if seen <= revisions else None
            if before is not None:
                corrected = theirs is not None
                title = say("What you saw") if corrected else say("Before it was withdrawn")
                yield self.recorded(title, before)
        if met.proposal is not None and theirs is not None:
            who = self.phone(met.proposal.device)
            yield Side(say("Proposed by %(who)s", who=who), met.proposal.at, None), theirs
        elif theirs is not None:
            yield self.recorded(self.made(theirs), theirs)
        if mine is not None and (theirs or before) is not None:
            yield Side(say("Yours"), None, None), mine

    def recorded(self, title: Sentence, played: Round) -> tuple[Side, Round]:
        made = self.making(played)
        reason = self.past.reasons.get(made.number) if made else None
        return Side(title, played.at, reason), played

    def made(self, played: Round) -> Sentence:
        """Who made a round what it is now."""
        made = self.making(played)
        step = step_of(made, played.number) if made else None
        if step is not None and step["before"] is None:
            return say("Recorded by %(who)s", who=self.by(made))
        return say("Corrected by %(who)s", who=self.by(made))

    def making(self, played: Round) -> Happened | None:
        """The event that made a round what it is."""
        return self.event(lambda event: _made(event, played.number, played.revision))


def _made(event: Happened, number: int, revision: int | None) -> bool:
    """Whether an event made a round this revision, None for withdrawing it."""
    step = step_of(event, number)
    return step is not None and step["after"] == revision
