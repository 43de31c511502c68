"""The page on which a round is entered, or corrected: preview first, then save.

Like `web`, whose blueprint these pages belong to. A page that is being filled in asks again and
again for the part that tells what the round would book, `_live.html`. What waits on a phone is
saved in that way too: 201 says where it is now, 409 and 422 that it is refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import abort, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import ledger
from scorekeeper.conflict import Chosen, Meanwhile, Met, chosen, meet, show, typed
from scorekeeper.cookies import read_cookie
from scorekeeper.filling import blank_round, filled_round
from scorekeeper.forms import Bare
from scorekeeper.gather import Gathered
from scorekeeper.hints import hints
from scorekeeper.ledger import (
    Book,
    Follow,
    Pending,
    Person,
    Proposal,
    Role,
    UnknownPlayer,
    UnknownRound,
)
from scorekeeper.live import part, part_wanted
from scorekeeper.round_form import RoundForm, claims, fresh_key, round_form, ways
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.game import Game, Rules
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.result import Result
from scorekeeper.rules.sentence import say
from scorekeeper.seats import confirmed
from scorekeeper.web import (
    asked,
    gather,
    known_device,
    opened,
    page,
    seated_in,
    seats_in,
    this_device,
    web,
)

__all__ = ["web"]


@web.route("/s/<series_id>/rounds/new", methods=["GET", "POST"])
def enter(series_id: str) -> AnyResponse | str:
    """Enters the next round."""
    if request.method == "GET" and part_wanted():
        return part(series_id, read_cookie("device"), pending=partial(seats_in, entering=True))
    book, role = opened(series_id, Role.ENTER)
    choice = chosen(request.form.get("choose"))
    if choice and choice.verb == "correct":
        if Bare().validate():
            ledger.drop_returned(book.id, choice.number, by=this_device())
        return redirect(url_for(".correct", series_id=book.id, number=choice.number), 307)
    cleared = False
    if choice:
        book, cleared = _cleared(book, role, choice)
    # A page that is being filled in asks again and again, and has what was pending.
    gathered = gather(book, Pending() if part_wanted() else ledger.pending(book.id))
    returned = _returned(gathered.there)
    form = _form(
        book,
        lambda game, seated: blank_round(book, game, seated) | gathered.filled,
        returned.players if returned else [person.id for person in gathered.seated],
        typed=returned.fields if returned and request.method == "GET" else None,
    )
    gathered.take(form, request.form.get("take", type=int))
    place = form.place
    if choice and (choice.verb == "as" or (choice.verb == "then" and cleared)):
        form.becomes(choice.number if choice.verb == "as" else book.next_number, book)
    return Recording(book, role, form, choice, place, gathered).answer()


@web.route("/s/<series_id>/rounds/<int:number>/correct", methods=["GET", "POST"])
def correct(series_id: str, number: int) -> AnyResponse | str:
    """Corrects a round with the form it was entered with."""
    book, role = opened(series_id, Role.ENTER)
    choice = chosen(request.form.get("choose"))
    if choice and choice.verb == "as":
        return redirect(url_for(".enter", series_id=book.id), 307)
    # A round that was withdrawn is shown as it was: somebody may have typed its correction.
    last = book.revisions.get(number, 0)
    played = book.round(number) or ledger.revision_of(book.id, number, last) or abort(404)
    form = _form(
        book, lambda game, seated: filled_round(played, game), played.players, played.entry["rules"]
    )
    place = form.place
    if choice and choice.verb in ("correct", "over"):
        form.number.data, form.revision.data = str(number), str(choice.revision)
        # What was sent under the other key may have been saved.
        form.key.data = fresh_key()
    return Correcting(book, role, form, choice, place, number).answer()


# --- What is typed ------------------------------------------------------------------------------


def _form(
    book: Book,
    filled: Callable[[Game, Sequence[Person]], dict[str, Any]],
    players: Sequence[int] | None = None,
    rules: Rules | None = None,
    typed: Mapping[str, list[str]] | None = None,
) -> RoundForm:
    # A round is corrected by the house rules that it was played by.
    game = GAMES[book.game].under(rules or book.rules)
    seated = seated_in(book, game, players)
    form = round_form(game, seated, filled(game, seated), typed)
    if (chosen := asked().get("use")) in ways(game):
        form.form.data = chosen
    ticked = len(set(asked().getlist("plays")))
    if ticked:
        try:
            game.check_seats(ticked)
        except RuleError as refusal:
            form.refuse(refusal)
    return form


def _returned(there: Pending) -> Proposal | None:
    """The round that is this phone's again, which the page begins with.

    Where that round is over, the page of the next one tells of it, and shows it when asked.
    """
    returned = there.returned_to(this_device())
    return None if returned and returned.over and "returned" not in request.args else returned


def _cleared(book: Book, role: Role, choice: Chosen) -> tuple[Book, bool]:
    """The book after what a choice asks of the series itself, so that a round can be recorded.

    And whether it did what it was asked, where it was asked anything.
    """
    if not Bare().validate():
        return book, False
    device = this_device() or 0
    try:
        if choice.verb == "reopen" and role.allows(Role.MANAGE):
            ledger.change_series(book.id, state="open", by=this_device())
        elif choice.verb == "return":
            ledger.change_player(book.id, choice.number, left=False, by=this_device())
        elif choice.verb == "then":
            ledger.confirm(book.id, choice.revision, by=device)
        elif choice.verb == "back":
            word = request.form.get("word")
            ledger.give_back(book.id, choice.revision, by=device, word=word)
    except (RuleError, UnknownPlayer):
        # Whatever is still in the way is shown again.
        return ledger.read(book.id), False
    return ledger.read(book.id), True


# --- What becomes of it -------------------------------------------------------------------------

_CHANGED = say(
    "The house rules or the multipliers changed since you saw these figures. Look at them again."
)


@dataclass
class _Entered(ABC):
    """A round that is typed: seen first, and saved once what it would book has been seen.

    Where others did something meanwhile, both rounds are shown, and `choice` says what to do.
    `place` is where the draft of the page is that asks.
    """

    book: Book
    role: Role
    form: RoundForm
    choice: Chosen | None
    place: str

    def __post_init__(self) -> None:
        self.met = self._meet()
        self.result: Result | None = None
        self.follow: Follow | None = None

    def answer(self) -> AnyResponse | str:
        """The page, or where to go on once it is done."""
        if request.method == "GET":
            if self._complete:
                self._settle()
            if self.met and self.met.kind == Meanwhile.WAITS and self.result is None:
                self.met = None  # Nothing to put beside it; the page says that it waits.
        # A button may only ask for the same form in another shape.
        elif self.form.validate() and self._pressed and self.form.refusal is None:
            done = self._choose() or self._saved()
            if done is not None:
                return done
            self._settle()
        return self._shown()

    @property
    def _pressed(self) -> bool:
        return part_wanted() or bool({"preview", "save", "choose"} & set(request.form))

    @property
    def _digest(self) -> str:
        """What tells these figures from others: they are saved as they were seen, or not at all."""
        book, number = self.book, self._settled_as
        known = {"rules": dict(book.rules_for(number)), "carried": book.carried_into(number)}
        return self.form.digest(known)

    @property
    def _settled_as(self) -> int:
        """The number by whose house rules and multipliers it is settled."""
        return self.met.settled_as(self.book) if self.met else self._number

    @property
    def _saving(self) -> bool:
        return "save" in request.form or (self.choice is not None and self.choice.verb == "over")

    def _choose(self) -> AnyResponse | None:
        """Lets what others did stand, where that was chosen."""
        met = self.met
        if met and self.choice == Chosen("keep", met.number, met.revision):
            return self._keep(met)
        if met and self.choice == Chosen("yes", met.number, met.revision):
            try:
                return confirmed(self.book, met.revision, self.place)
            except RuleError:
                # Another phone answered it before: what it is now is shown.
                self._look_again()
        return None

    def _saved(self) -> AnyResponse | None:
        """Saves it, where its figures were seen; None where it is not saved, or not yet."""
        seen, digest = self.form.seen.data, self._digest
        if not self._saving or not seen:
            return None
        if seen != digest:
            if seen.partition(".")[0] == digest.partition(".")[0]:
                self.form.refuse(RuleError("changed", _CHANGED))
            return None
        try:
            saved = self._save()
        except (RuleError, UnknownRound) as refused:
            self._look_again(withdrawn=isinstance(refused, UnknownRound))
            if self.met is None and isinstance(refused, RuleError):
                self.form.refuse(refused)
            return None
        if part_wanted():
            saved.status_code = 201
        return saved

    def _settle(self) -> None:
        """Works it out; whatever is wrong with it is said in the form."""
        try:
            self._work_out()
        except RuleError as refusal:
            # Who has left is told with the rest of what happened meanwhile.
            if self.met is None or self.met.kind != Meanwhile.LEFT:
                self.form.refuse(self.form.refusal or refusal)

    def _look_again(self, withdrawn: bool = False) -> None:
        """Others may have written since the book was read."""
        self.book = ledger.read(self.book.id)
        self.met = self._meet(withdrawn)

    @property
    def _complete(self) -> bool:
        """Whether there is a whole round on the page before anybody has pressed a button."""
        return False

    @abstractmethod
    def _meet(self, withdrawn: bool = False) -> Met | None:
        """What is in its way."""

    def _work_out(self) -> None:
        """What the round comes to; raises RuleError."""
        self.result = ledger.preview(self.book, self.form.document(), self._settled_as)

    @property
    @abstractmethod
    def _number(self) -> int:
        """The number of the round that it is."""

    @abstractmethod
    def _save(self) -> AnyResponse:
        """Saves it; raises RuleError, and UnknownRound where it was saved and withdrawn since."""

    @abstractmethod
    def _keep(self, met: Met) -> AnyResponse:
        """To what is recorded; the page there drops the draft that was at `place`."""

    @property
    @abstractmethod
    def _values(self) -> dict[str, Any]:
        """What its page alone shows."""

    def _shown(self) -> AnyResponse | str:
        book, form, live = self.book, self.form, part_wanted()
        form.seen.data = self._digest
        conflict = None
        if self.met:
            mine = typed(book, self.met, form, self.result)
            conflict = show(book, self.met, mine, this_device(), self.role)
        # A page that was only opened shows beside its fields what they lack.
        pressed = request.method == "POST" or "plays" in request.args or not form.placed
        shown = page(
            "_live.html" if live else "enter.html",
            book,
            self.role,
            form=form,
            wrong=form.faults if pressed and (form.expired or not conflict) else [],
            result=self.result,
            follow=self.follow,
            conflict=conflict,
            moved=self.place if form.place != self.place else None,
            ways=ways,
            claims=claims,
            hints=hints,
            this=this_device(),
            **self._values,
        )
        refused = live and self._saving
        return make_response(shown, 409 if conflict else 422) if refused else shown


@dataclass
class Recording(_Entered):
    """The next round of a series, begun with what the phones gave of it."""

    gathered: Gathered

    @property
    def _complete(self) -> bool:
        # Every phone has said its part: what that comes to is seen at once, and can be saved.
        return self.gathered.ready or _returned(self.gathered.there) is not None

    def _meet(self, withdrawn: bool = False) -> Met | None:
        # In the books, or waiting for a yes.
        there = ledger.pending(self.book.id) if self.book.confirm else Pending()
        waiting = there.waiting_elsewhere(this_device())
        return meet(self.book, self.form, None, waiting, withdrawn=withdrawn)

    @property
    def _number(self) -> int:
        return self.book.next_number

    def _save(self) -> AnyResponse:
        book, form = self.book, self.form
        try:
            done = ledger.record(book.id, form.document(), key=form.key.data, by=this_device())
        except RuleError as refusal:
            if refusal.code == "needs_confirmation":
                return self._propose()
            if refusal.code == "key_reused":
                raise UnknownRound from None
            raise
        number = done.round.number
        if done.gone:
            raise UnknownRound(number)
        return redirect(url_for(".series", series_id=book.id, saved=number))

    def _propose(self) -> AnyResponse:
        """Lets the round wait for another phone, with everything that was typed."""
        book, form = self.book, self.form
        own = ("csrf_token", "save", "preview", "seen", "revision", "choose", "word")
        fields = {name: values for name, values in request.form.lists() if name not in own}
        device, _ = known_device()
        over = self.choice if self.choice and self.choice.verb == "over" else None
        ledger.propose(
            book.id,
            form.document(),
            fields,
            key=form.key.data or "",
            by=device,
            instead_of=over.revision if over else None,
            word=request.form.get("word"),
        )
        kept = self.place if over else None
        return redirect(url_for(".series", series_id=book.id, saved=form.number.data, kept=kept))

    def _keep(self, met: Met) -> AnyResponse:
        ledger.drop_returned(self.book.id, met.number, by=this_device())
        return redirect(url_for(".series", series_id=self.book.id, kept=self.place))

    @property
    def _values(self) -> dict[str, Any]:
        return {"gathered": self.gathered, "correcting": None}


@dataclass
class Correcting(_Entered):
    """A round that was recorded, and what would follow from its correction."""

    number: int

    def _meet(self, withdrawn: bool = False) -> Met | None:
        return meet(self.book, self.form, self.number, withdrawn=withdrawn)

    @property
    def _number(self) -> int:
        return self.number

    def _work_out(self) -> None:
        super()._work_out()
        assert self.result is not None
        if self.book.round(self.number) and self.result.amounts is not None:
            self.follow = ledger.follows(self.book, self.number, self.form.document())

    def _save(self) -> AnyResponse:
        book, form, number = self.book, self.form, self.number
        done = ledger.correct(
            book.id,
            number,
            form.document(),
            revision=whole_number(form.revision.data) or 0,
            reason=form.reason.data or None,
            key=form.key.data or None,
            by=this_device(),
        )
        if done.gone:
            raise UnknownRound(number)
        return redirect(url_for(".show_round", series_id=book.id, number=number, corrected=1))

    def _keep(self, met: Met) -> AnyResponse:
        series, number, kept = self.book.id, self.number, self.place
        if met.current is None:
            return redirect(url_for(".series", series_id=series, kept=kept))
        return redirect(url_for(".show_round", series_id=series, number=number, kept=kept))

    @property
    def _values(self) -> dict[str, Any]:
        return {"gathered": None, "correcting": self.number}
