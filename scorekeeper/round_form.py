"""The form of a round: what is typed at the table goes in, a document of the contract comes out.

It knows no rules. It is built from a game's value and takes everything that is typed as it is;
whether that makes a round is for the rules to say, and their refusal is shown where it belongs
(`RoundForm.refuse`), with everything that was typed still in place.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import (
    BooleanField,
    Field,
    Form,
    FormField,
    HiddenField,
    RadioField,
    SelectMultipleField,
    StringField,
)

from scorekeeper.forms import EXPIRED, Fault, TableForm, stripped
from scorekeeper.ledger import Book, Person
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import CHAFF, DECK, MONTHS, NAMED, NOTHING, WHOLE_DECK, Cards, Kind
from scorekeeper.rules.chaff import Feasible, feasible_chaff
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.game import MAY_STOP, Game
from scorekeeper.rules.months import MonthBoard
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU, Yaku
from scorekeeper.words import html

TABLE = "table"
"""Who has the cards that nobody is marked with, where that was said: they are left over."""


def ways(game: Game) -> tuple[str, ...]:
    """The ways in which the page takes the piles of a game, fastest first."""
    if game.values.by_kind is None:
        # Cards of a kind differ in value, so numbers of cards tell nothing; months tell more, but
        # for special yaku, of which the board would see nothing.
        return game.forms if game.by_kind[SPECIAL] else ("months", *game.forms)
    if any(yaku.cards & CHAFF for yaku in game.by_kind[DEKIYAKU]):
        # It matters which chaff somebody has, and named cards leave that open.
        return game.forms
    at = game.forms.index("captured") if "captured" in game.forms else len(game.forms)
    return (*game.forms[:at], "named", *game.forms[at:])


BOARD = (
    "1B 3B 8B 11B 12B 2A 4A 5A 6A 7A 8A 9A 10A 11A 1R 2R 3R 4R 5R 7R 11R 6R 9R 10R"
)  # fmt: skip
"""The named cards as piles are laid out at the table, kind by kind, ribbons of a sort together."""


class DealerField(RadioField):
    """Who deals, by id; None in a form that was sent without it, and then the series knows."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        # Not the one whom a page would have offered: that is another one after each round.
        self.data = valuelist[0] if valuelist else None


class OwnersField(Field):
    """Who has what: the id of a player for each card, or other thing, as text; absent where not."""

    data: dict[str, str]

    def __init__(self, *things: str, **more: Any) -> None:
        super().__init__(**more)
        self.things = things or tuple(card.text for card in DECK)

    def process(self, formdata: Any, data: Any = None, extra_filters: Any = None) -> None:
        self.process_errors = []
        self.data = data if isinstance(data, dict) else {}
        if formdata is not None:
            marked = ((thing, formdata.get(f"{self.name}-{thing}")) for thing in self.things)
            self.data = {thing: player for thing, player in marked if player}

    def of(self, player: str) -> Cards:
        """The cards that a player is marked with."""
        return Cards.of(card for card in DECK if self.data.get(card.text) == player)


def seat_form(game: Game) -> type[Form]:
    """What is asked of one player in a game."""
    fields: dict[str, Any] = {kind.key: StringField() for kind in Kind}
    fields["points"] = StringField()
    for kind in CLASSES:
        fields[kind] = SelectMultipleField(validate_choice=False)
        for yaku in game.by_kind[kind]:
            if yaku.most > 2:
                fields[f"times_{yaku.key}"] = StringField()
    if game.ending == MAY_STOP:
        fields["continued"] = BooleanField()
    return type("SeatForm", (Form,), fields)


def claims(yaku: Yaku) -> Iterator[tuple[str, Sentence | None, int]]:
    """How a yaku can be ticked: its keys, what is said beside its name, and what that is worth."""
    yield yaku.key, None, yaku.first
    if yaku.with_extra:
        yield yaku.with_extra, say("and the rain man"), yaku.first + yaku.each_extra
    if yaku.most == 2:
        yield f"{yaku.key} {yaku.key}", say("twice"), yaku.value(2)


_PILE = ("captured", "counts", "named", "chaff", "points", "months")
SEAT_PLACES = {
    **dict.fromkeys(_PILE, "pile"),
    **dict.fromkeys((TEYAKU, "hand"), "teyaku"),
    **dict.fromkeys((DEKIYAKU, SPECIAL, "continued"), "yaku"),
}
TABLE_PLACES = {
    **dict.fromkeys(_PILE, "piles"),
    **dict.fromkeys(("end", "rules"), "end"),
    **dict.fromkeys(("seats", "players"), "seats"),
    **dict.fromkeys(("field", "multiplier", "carried"), "field"),
    "stopped_by": "stopper",
    "dealer": "dealer",
    "hand": "hand",
}
"""The parts of the page of a round that show what is wrong with fields of a document: of one seat,
and of the round itself."""


_NUMBERS = {
    "counts": tuple(kind.key for kind in Kind),
    "named": (Kind.CHAFF.key,),
    "points": ("points",),
}
"""The numbers that are typed of a pile in each form."""
_ALL_NUMBERS = (*_NUMBERS["counts"], *_NUMBERS["points"])

_UNFINISHED = ("not_a_round", "stopped_without_yaku", "needs_counts", "needs_cards")


class RoundForm(TableForm):
    """One round, as it is entered or corrected; made for one table by `round_form`."""

    number = HiddenField()
    revision = HiddenField()
    key = HiddenField()
    seen = HiddenField()
    form = HiddenField()
    plays = SelectMultipleField(validate_choice=False)
    dealer = DealerField(validate_choice=False)
    end = RadioField(default="counted", validate_choice=False)
    stopped_by = RadioField(validate_choice=False)
    field = SelectMultipleField(validate_choice=False)
    multiplier = HiddenField()
    teyaku_by = RadioField(validate_choice=False)
    card = OwnersField()
    hand = OwnersField()
    rest_to = RadioField(validate_choice=False)
    month = OwnersField(*(str(month.number) for month in MONTHS))
    part = OwnersField()
    left = SelectMultipleField(validate_choice=False)
    decision = RadioField(validate_choice=False)
    reason = StringField()

    claimed: OwnersField
    game: Game
    seated: Sequence[Person]
    refusal: RuleError | None = None

    def seat(self, person: Person) -> Any:
        """The fields of one player."""
        return self[f"p{person.id}"]

    @property
    def place(self) -> str:
        """Where a phone keeps its draft: the number of the round, or the revision corrected."""
        if self.revision.data:
            return f"correction of {self.number.data}.{self.revision.data}"
        return self.number.data or ""

    def becomes(self, number: int, book: Book) -> None:
        """Makes it the round of another number, which is recorded anew."""
        before = whole_number(self.number.data) or 0
        if self.dealer.data == str(_named_dealer(book, before)):
            # Nobody chose that dealer: it was the one whom the rules named.
            dealer = book.next_dealer
            seated = any(person.id == dealer for person in self.seated)
            self.dealer.data = str(dealer) if seated else ""
        self.number.data, self.revision.data = str(number), ""
        self.key.data = fresh_key()

    @property
    def whole(self) -> bool:
        """Whether the piles of a counted round make up the whole deck."""
        return self.game.needs_whole_deck(len(self.seated))

    # --- Out ------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """The round as a document of the contract, its seats with "player" for a name."""
        document: dict[str, Any] = {"end": self.end.data}
        if number := whole_number(self.number.data):
            document["number"] = number
        seats = [{"player": person.id} for person in self.seated]
        dealer = self._place(self.dealer.data)
        if dealer is not None:
            document["dealer"] = dealer
        if self.end.data == "void":
            return {**document, "seats": seats}
        if self.end.data == "stopped":
            stopper = self._place(self.stopped_by.data)
            if stopper is not None:
                document["stopped_by"] = stopper
        if self.game.field_brights is not None:
            multiplier = whole_number(stripped(self.multiplier.data))
            if multiplier and not self.field.data:
                document["multiplier"] = multiplier
            else:
                document["field"] = " ".join(self.field.data or [])
        if self.decision.data:
            place = self._place(self.decision.data)
            document["decision"] = self.decision.data if place is None else place
        piles = self._piles()
        for person, seat in zip(self.seated, seats, strict=True):
            seat |= piles.get(person.id, {})
            seat |= self._claims(person, seat)
        return {**document, "seats": seats}

    def _place(self, player: str | None) -> int | None:
        """The seat of a player given by id."""
        ids = [str(person.id) for person in self.seated]
        return ids.index(player) if player in ids else None

    def _piles(self) -> dict[int, dict[str, Any]]:
        """What each player captured, by id, in the form that was chosen."""
        if self.form.data == "captured":
            return self._captured()
        if self.form.data == "months":
            return self._months()
        feasible = self.feasible if self.form.data == "named" else {}
        given = {}
        for person in self.seated:
            if pile := self._typed_pile(person):
                if pile.get("chaff") == "" and len(counts := feasible[person.id].counts) == 1:
                    # Nobody need say the only number that is possible.
                    pile["chaff"] = counts[0]
                given[person.id] = pile
        blank = [person.id for person in self.seated if person.id not in given]
        # The last one is filled in, where the deck says what is left.
        if len(blank) == 1 and given and self.whole and self.end.data == "counted":
            given[blank[0]] = {str(self.form.data): "rest"}
        return given

    def _typed_pile(self, person: Person) -> dict[str, Any]:
        fields = self.seat(person)
        if self.form.data == "points":
            text = stripped(fields.points.data)
            return {"points": _number(text)} if text else {}
        if self.form.data == "named":
            named = self.card.of(str(person.id)) & NAMED
            chaff = stripped(fields.chaff.data)
            return {"named": str(named), "chaff": _number(chaff)} if named or chaff else {}
        texts = {kind.key: stripped(fields[kind.key].data) for kind in Kind}
        # A chaff of the 80 game counts nothing, but the piles must still add up.
        if not any(texts.values()):
            return {}
        return {"counts": {kind: _number(text) for kind, text in texts.items()}}

    def unshown(self, person: Person) -> list[Any]:
        """The fields with numbers of a player that were typed in another form of the pile."""
        shown = _NUMBERS.get(str(self.form.data), ())
        fields = [self.seat(person)[key] for key in _ALL_NUMBERS if key not in shown]
        return [field for field in fields if field.data]

    # --- One player alone -----------------------------------------------------------------------

    def given(self, person: Person) -> dict[str, Any]:
        """What was entered of one player, nothing filled in: the fields that are not blank.

        "seat" has those of the seat, "card" and "hand" the cards that are marked as theirs.
        """
        numbers = _NUMBERS.get(str(self.form.data), ())
        cards = {"captured": WHOLE_DECK, "named": NAMED}.get(str(self.form.data), NOTHING)
        values = {
            key: stripped(value) if isinstance(value, str) else value
            for key, value in self.seat(person).data.items()
            if key in numbers or key not in _ALL_NUMBERS
        }
        player = str(person.id)
        return {
            "seat": {key: value for key, value in values.items() if value},
            "card": [card.text for card in self.card.of(player) & cards],
            "hand": [card.text for card in self.hand.of(player)],
        }

    def take(self, person: Person, given: Mapping[str, Any]) -> None:
        """Puts in what was entered of one player elsewhere, in place of what is here."""
        for field in self.seat(person).form:
            several = isinstance(field.data, list)
            field.data = given["seat"].get(field.short_name, [] if several else None)
        player = str(person.id)
        for owners, cards in (self.card, given["card"]), (self.hand, given["hand"]):
            others = {card: owner for card, owner in owners.data.items() if owner != player}
            owners.data = others | dict.fromkeys(cards, player)

    def said_of(self, person: Person) -> dict[str, Any]:
        """What was entered of one player, nothing filled in, as the seat of a document."""
        if self.form.data == "captured":
            cards = self.card.of(str(person.id))
            pile = {"captured": str(cards)} if cards else {}
        else:
            pile = self._typed_pile(person)
        return {**pile, **self._claims(person, pile)}

    def _captured(self) -> dict[int, dict[str, Any]]:
        owned = {person.id: self.card.of(str(person.id)) for person in self.seated}
        if not any(owned.values()):
            return {}
        captured: dict[int, dict[str, Any]] = {
            player: {"captured": str(cards)} for player, cards in owned.items()
        }
        if self.end.data != "counted":
            return captured
        rest_to = self._place(self.rest_to.data)
        if rest_to is None and self.rest_to.data != TABLE:
            # Nobody said whose the other cards are: as in any form, the only one left blank has the
            # rest of the deck, and of two who are left blank something is still to come.
            blank = [player for player, cards in owned.items() if not cards]
            for player in blank:
                del captured[player]
            if self.whole and len(blank) == 1:
                captured[blank[0]] = {"captured": "rest"}
        elif rest_to is not None:
            player = self.seated[rest_to].id
            if self.whole:
                captured[player] = {"captured": "rest"}
            else:
                others = (
                    Cards.of(card for card in DECK if card.text not in self.card.data)
                    | owned[player]
                )
                captured[player] = {"captured": str(others)}
        return captured

    @property
    def board(self) -> MonthBoard:
        """The month board, as it is marked."""
        ids = {str(person.id): person.id for person in self.seated}
        return MonthBoard(
            self.game,
            list(ids.values()),
            {int(month): ids[own] for month, own in self.month.data.items() if own in ids},
            {card: ids[own] for card, own in self.part.data.items() if own in ids},
            [number for text in self.left.data or [] if (number := whole_number(text))],
        )

    def _months(self) -> dict[int, dict[str, Any]]:
        """Card points and dekiyaku, as the month board tells them; raises RuleError."""
        board = self.board
        if board.open and self.end.data == "counted":
            raise RuleError(
                "needs_cards",
                say("%(month)s: who has which of its cards?", month=board.open[0]),
                field="months",
            )
        given: dict[int, dict[str, Any]] = {}
        for at, person in enumerate(self.seated):
            keys: list[str] = []
            for yaku in self.game.by_kind[DEKIYAKU]:
                least, most = board.times(yaku, person.id)
                claimed = self.claimed.data.get(yaku.key) == str(person.id)
                if claimed and not most:
                    raise RuleError(
                        "yaku_not_formed",
                        say(
                            "%(name)s cannot have %(yaku)s with these months.",
                            name=Name(person.name),
                            yaku=yaku,
                        ),
                        at,
                        "months",
                    )
                keys += [yaku.key] * max(least, int(claimed))
            given[person.id] = {"points": board.points(person.id), DEKIYAKU: keys}
        return given

    def _claims(self, person: Person, pile: Mapping[str, Any]) -> dict[str, Any]:
        """The yaku that were ticked, where the pile does not tell them, and the dealt hand."""
        fields = self.seat(person)
        said: dict[str, Any] = {}
        hand = self.hand.of(str(person.id))
        if hand and self.game.by_kind[TEYAKU]:
            said["hand"] = str(hand)
        if self.game.by_kind[TEYAKU]:
            ticked = self._ticked(fields, TEYAKU)
            # Where a hand is there and nothing is ticked, its player shows what it holds.
            by_hand = self.teyaku_by.data or ("shown" if ticked else "hands")
            if not hand or by_hand == "shown":
                said[TEYAKU] = ticked
        if "captured" not in pile and "named" not in pile and DEKIYAKU not in pile:
            for kind in (DEKIYAKU, SPECIAL):
                if ticked := self._ticked(fields, kind):
                    said[kind] = ticked
        if self.game.ending == MAY_STOP and fields.continued.data:
            said["continued"] = True
        return said

    def _ticked(self, fields: Any, kind: str) -> list[str]:
        keys = [key for ticked in fields[kind].data or [] for key in ticked.split()]
        for yaku in self.game.by_kind[kind]:
            if yaku.most > 2:
                times = whole_number(stripped(fields[f"times_{yaku.key}"].data)) or 0
                keys += [yaku.key] * min(times, yaku.most + 1)
        return keys

    @property
    def feasible(self) -> dict[int, Feasible]:
        """How many chaff each player can have with all that is said of them and others, by id."""
        named = [(self.card.of(str(person.id)) & NAMED).mask for person in self.seated]
        said = [whole_number(stripped(self.seat(person).chaff.data)) for person in self.seated]
        feasible = feasible_chaff(named, self.whole and self.end.data == "counted", said)
        return {person.id: one for person, one in zip(self.seated, feasible, strict=True)}

    @property
    def sides(self) -> dict[str, dict[str, Any]]:
        """Of each dekiyaku that the month board asks for: who may have it, and who surely has."""
        board = self.board
        times = {
            yaku.key: {person.id: board.times(yaku, person.id) for person in self.seated}
            for yaku in board.asked
        }
        return {
            key: {
                "may": [player for player, (_, most) in of.items() if most],
                "has": next((player for player, (least, _) in of.items() if least), None),
            }
            for key, of in times.items()
        }

    @property
    def unfinished(self) -> bool:
        """Whether the refusal only says that something is still to come."""
        refusal = self.refusal
        if refusal is None:
            return False
        if refusal.code == "bad_hand" and refusal.seat is not None:
            hand = self.hand.of(str(self.seated[refusal.seat].id))
            return len(hand) < self.game.deals[len(self.seated)].hand
        if refusal.seat is None or refusal.field not in ("counts", "chaff"):
            return refusal.code in _UNFINISHED
        fields = self.seat(self.seated[refusal.seat])
        kinds = [kind.key for kind in Kind] if self.form.data == "counts" else [Kind.CHAFF.key]
        return not all(stripped(fields[kind].data) for kind in kinds)

    @property
    def asks(self) -> Sentence | None:
        """What to do next, where it is only that a pile is still to come."""
        refusal = self.refusal
        if refusal is None:
            return None
        marked = self.month.data or self.part.data
        if (refusal.code, refusal.field) == ("needs_cards", "months") and not marked:
            return say("Tap who has all four cards of a month.")
        if refusal.code != "not_a_round" or refusal.seat is None:
            return None
        if refusal.field != self.game.forms[0]:
            return None
        name = Name(self.seated[refusal.seat].name)
        if self.form.data in ("captured", "named"):
            return say("Tap the cards that %(name)s captured.", name=name)
        if self.form.data == "points":
            return say("Type the card points of %(name)s.", name=name)
        return None

    def digest(self, known: Mapping[str, Any]) -> str:
        """What tells the figures of this round from others; nothing where it is no round yet.

        Its first part is for what was typed, its second for what the series knows of the round.
        """
        try:
            return f"{_digest(self.document())}.{_digest(known)}"
        except RuleError:
            return ""

    # --- Refusals -------------------------------------------------------------------------------

    def refuse(self, refusal: RuleError) -> None:
        """Keeps a refusal, for the page to show where it belongs."""
        self.refusal = refusal

    @property
    def faults(self) -> list[Fault]:
        """What is wrong: that the page is too old, or else the refusal."""
        if self.expired:
            return [Fault(html(EXPIRED))]
        if self.refusal is None:
            return []
        sentence, person = self.refusal.sentence, self._refused_one
        if person and person.name not in sentence.values.values():
            sentence = say("%(name)s: %(what)s", name=Name(person.name), what=sentence)
        return [Fault(html(sentence), self._place_refused())]

    @property
    def _refused_one(self) -> Person | None:
        """Whom the refusal is about."""
        seat = self.refusal.seat if self.refusal else None
        return None if seat is None else self.seated[seat]

    def _place_refused(self) -> str | None:
        """The id of the field that the refusal is about, or of what stands beside several."""
        person, field = self._refused_one, self.refusal.field if self.refusal else None
        places = SEAT_PLACES if person else TABLE_PLACES
        if field not in places:
            return None
        if person and places[field] == "pile" and (keys := _NUMBERS.get(str(self.form.data))):
            fields = [self.seat(person)[key] for key in keys]
            odd = (one for one in fields if whole_number(stripped(one.data)) is None)
            return str(next(odd, fields[0]).id)
        return f"refusal-{places[field]}" + (f"-{person.id}" if person else "")

    @property
    def placed(self) -> bool:
        """Whether the page has a place of its own for the refusal."""
        return self._place_refused() is not None

    def refused(self, person: Person | None, *fields: str) -> Sentence | None:
        """The refusal, if it is about this player, or nobody, and one of these fields."""
        refusal = self.refusal
        if refusal is None or (fields and refusal.field not in fields):
            return None
        seat = None if refusal.seat is None else self.seated[refusal.seat]
        return refusal.sentence if seat is person else None


def round_form(
    game: Game,
    seated: Sequence[Person],
    data: Any = None,
    typed: Mapping[str, list[str]] | None = None,
) -> RoundForm:
    """The form for a round of these players, filled with `data` until something is typed.

    Or with what was `typed` into such a form before: the values of its fields by name.
    """
    fields: dict[str, Any] = {f"p{person.id}": FormField(seat_form(game)) for person in seated}
    fields["claimed"] = OwnersField(*(yaku.key for yaku in game.by_kind[DEKIYAKU]))
    made = type("RoundForm", (RoundForm,), {**fields, "game": game, "seated": seated})
    form: RoundForm = made(data=data) if typed is None else made(MultiDict(typed), data=data)
    if form.form.data not in ways(game):
        form.form.data = ways(game)[0]
    return form


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def fresh_key() -> str:
    """What makes a round, or a correction, that arrives twice one."""
    return secrets.token_urlsafe(16)


def _named_dealer(book: Book, number: int) -> int | None:
    """Whom the rules named as the dealer of a round."""
    before = book.round(number - 1)
    return before.next_dealer if before else book.first_dealer if number == 1 else None


def _number(text: str) -> Any:
    """A number where it is one; else what was typed, for the rules to refuse."""
    number = whole_number(text)
    return text if number is None else number
