"""The forms: what is typed at the table goes in, a document of the contract comes out.

The forms know no rules. They are built from a game's value and take everything that is typed as it
is; whether it makes a round is for the rules to say, and their refusal is hung on the field it is
about (`RoundForm.refuse`), with everything that was typed still in place.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import (
    BooleanField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)
from wtforms.validators import ValidationError

from scorekeeper.ledger import Book, Person, Round
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import (
    CHAFF,
    DECK,
    MONTHS,
    NAMED,
    NOTHING,
    OF_KIND,
    WHOLE_DECK,
    Card,
    Cards,
    Kind,
    earliest,
)
from scorekeeper.rules.chaff import Feasible, feasible_chaff
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.game import MAY_STOP, Game
from scorekeeper.rules.months import MonthBoard
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU, Yaku
from scorekeeper.words import html, language, translator

TABLE = "table"
"""Who has the cards that nobody is marked with, where that was said: they are left over."""


def one_of(*values: str) -> Callable[[Form, Field], None]:
    """Accepts these values alone, as the page offers them."""

    def check(form: Form, field: Field) -> None:
        if field.data not in values:
            raise ValidationError(html(say("Choose one of these.")))

    return check


class Fault(NamedTuple):
    """Something that is wrong, as the top of a page says it, and the id of its field."""

    said: str
    at: str | None = None


def _hung(fields: Iterable[Field]) -> Iterator[Fault]:
    """What is wrong with these fields; a list of fields is as wrong as each of them."""
    for field in fields:
        if isinstance(field, FieldList):
            yield from _hung(field.entries)
        for error in field.errors:
            if isinstance(error, str):
                yield Fault(error, field.id)


class TableForm(FlaskForm):
    """A form whose own messages are in the reader's language.

    `about` names the fields of the form that refusals are hung on, by the fields of a document.
    """

    about: ClassVar[Mapping[str, str]] = {}

    class Meta(FlaskForm.Meta):
        def get_translations(self, form: Form) -> Any:
            return translator(language())

    @property
    def expired(self) -> bool:
        """Whether only the token is wrong, which then means: press the button once more."""
        return bool(self.csrf_token.errors)

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal on the field that it is about, or on the form as a whole."""
        field = self.about.get(refusal.field or "")
        self.hang(refusal.sentence, self[field] if field else None)

    def hang(self, sentence: Sentence, field: Field | None = None) -> None:
        """Hangs on a field, or on the form as a whole, what is wrong with it."""
        if field is None:
            self.form_errors.append(html(sentence))
        else:
            field.errors = [*field.errors, html(sentence)]

    @property
    def faults(self) -> list[Fault]:
        """All that is wrong with what was sent."""
        token = self.csrf_token
        return [
            *([Fault(html(EXPIRED))] if self.expired else ()),
            *map(Fault, self.form_errors),
            *_hung(field for field in self if field is not token),
        ]


EXPIRED = say(
    "This page was open for a long time. Nothing you typed is lost: press the button once more."
)


class Bare(TableForm):
    """A button."""


class JoinForm(TableForm):
    """The link or code that opens a series."""

    link = StringField()

    @property
    def secret(self) -> str:
        """What stands in whatever was pasted: the secret of a link, or a short code."""
        return (self.link.data or "").strip().rpartition("#")[2]


# --- Starting a series --------------------------------------------------------------------------

LENGTHS = ("12", "6", "3", "open")


class LengthForm(TableForm):
    """How many rounds a series has."""

    about: ClassVar = {"rounds": "length"}
    length = RadioField(default="12", validate_choice=False, validators=[one_of(*LENGTHS, "other")])
    other_length = StringField()

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal of a number that was typed where it was typed."""
        if refusal.field == "rounds" and self.length.data == "other":
            self.hang(refusal.sentence, self.other_length)
        else:
            super().refuse(refusal)

    def rounds(self) -> int | None:
        """How many rounds, None for an open end; raises RuleError."""
        if self.length.data == "open":
            return None
        text = self.other_length.data if self.length.data == "other" else self.length.data
        number = whole_number(_typed(text))
        if number is None:
            raise RuleError("bad_length", say("How many rounds? A number."), field="rounds")
        return number


def length_form(length: int | None, **more: Any) -> LengthForm:
    """The form that changes how many rounds a series has, which is this many now."""
    return LengthForm(data=_length_fields(length), **more)


def _length_fields(length: int | None) -> dict[str, str]:
    """The fields of a form that say this length."""
    text = "open" if length is None else str(length)
    return {"length": text} if text in LENGTHS else {"length": "other", "other_length": text}


class RulesForm(TableForm):
    """The house rules of a table, each by the place of its choice; made for one game."""

    game: Game

    @property
    def differing(self) -> int:
        """How many of them are chosen otherwise than is usual."""
        return len(self._others)

    @property
    def _others(self) -> list[Field]:
        fields = (self[f"rule_{rule.key}"] for rule in self.game.house_rules)
        return [field for field in fields if field.data != "0"]

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal of rules that do not go together on one that is not as usual."""
        if refusal.field == "rules" and self._others:
            self.hang(refusal.sentence, self._others[0])
        else:
            super().refuse(refusal)

    @property
    def rules(self) -> dict[str, Any]:
        """A value for each house rule."""
        return {
            rule.key: rule.choices[int(self[f"rule_{rule.key}"].data)].value
            for rule in self.game.house_rules
        }


class NameForm(TableForm):
    """What somebody is called."""

    about: ClassVar = {"name": "name"}
    name = StringField(id="new-name")


class PersonForm(TableForm):
    """What somebody is called from now on, or whether they have left or come back."""

    about: ClassVar = {"name": "name"}
    name = StringField()
    left = HiddenField()

    def __init__(self, person: int) -> None:
        super().__init__()
        self.name.id = f"name-{person}"

    @property
    def gone(self) -> bool | None:
        """Whether they leave, or come back; None where that stays as it is."""
        return {"yes": True, "no": False}.get(self.left.data or "")


class SetUpForm(LengthForm, RulesForm):
    """Starts a series; made for one game by `set_up_form`."""

    names = FieldList(StringField())
    first = RadioField(default="0", validate_choice=False)
    drawn = FieldList(SelectField(validate_choice=False))
    again = HiddenField()

    def more_rows(self) -> None:
        """Adds a row for another player."""
        self.names.append_entry()
        self.drawn.append_entry()

    @property
    def people(self) -> list[str]:
        """The names that were typed; rows left blank are nobody."""
        return [name for name in map(_typed, self.names.data) if name]

    def first_dealer(self) -> int | None:
        """Who deals first, as a place among `people`; None leaves it to the table.

        Raises RuleError where the cards that were drawn do not decide it.
        """
        rows = self._named_rows()
        if self.first.data == "later" or not rows:
            return None
        if self.first.data != "draw":
            row = whole_number(self.first.data)
            return rows.index(row) if row in rows else 0
        drawing = self.drawing
        texts = [self.drawn[row].data or "" for row in drawing]
        for row, text in zip(drawing, texts, strict=True):
            if not text:
                name = Name(_typed(self.names.data[row]))
                missing = say("Which card did %(name)s draw?", name=name)
                raise RuleError("no_draw", missing, rows.index(row), "drawn")
            if text in texts[: drawing.index(row)]:
                twice = say("The card %(card)s is there twice.", card=Card.parse(text))
                raise RuleError("card_twice", twice, rows.index(row), "drawn")
        first = [drawing[place] for place in earliest([Card.parse(text) for text in texts])]
        if len(first) == 1:
            return rows.index(first[0])
        # Only those who drew level go on drawing.
        self.again.data = " ".join(map(str, first))
        for row in first:
            self.drawn[row].data = ""
        *names, last = [Name(_typed(self.names.data[row])) for row in first]
        message = say(
            "%(names)s and %(last)s drew equal cards and draw again.", names=names, last=last
        )
        raise RuleError("drawn_level", message, rows.index(first[0]), "drawn")

    @property
    def drawing(self) -> list[int]:
        """The rows of those who still draw for the first deal."""
        rows = self._named_rows()
        again = [whole_number(text) for text in (self.again.data or "").split()]
        return [row for row in rows if row in again] or rows

    def _named_rows(self) -> list[int]:
        return [row for row, name in enumerate(self.names.data) if _typed(name)]

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal on the field that it is about."""
        rows = self._named_rows()
        if refusal.code == "wrong_seats" and len(rows) < min(self.game.seats):
            # What is missing is the first name that is not there.
            row = next(row for row in range(len(self.names)) if row not in rows)
            missing = say(
                "%(game)s needs %(fewest)s players or more: player %(number)s has no name yet.",
                game=self.game,
                fewest=min(self.game.seats),
                number=row + 1,
            )
            self.hang(missing, self.names[row])
        elif refusal.field == "players":
            names = self.names
            field = names if refusal.seat is None else names[rows[refusal.seat]]
            self.hang(refusal.sentence, field)
        elif refusal.field == "drawn":
            self.hang(refusal.sentence, self.drawn[rows[refusal.seat or 0]])
        else:
            super().refuse(refusal)


def _rule_fields(game: Game, rules: Mapping[str, Any]) -> dict[str, Any]:
    """A field for each house rule, set to the choice with its value."""
    fields: dict[str, Any] = {"game": game}
    for rule in game.house_rules:
        values = [str(at) for at in range(len(rule.choices))]
        chosen = next(at for at in values if rule.choices[int(at)] is rule.choice(rules[rule.key]))
        fields[f"rule_{rule.key}"] = RadioField(
            default=chosen, validate_choice=False, validators=[one_of(*values)]
        )
    return fields


def rules_form(game: Game, rules: Mapping[str, Any], **more: Any) -> RulesForm:
    """The form that changes the house rules of a table."""
    form: RulesForm = type("RulesForm", (RulesForm,), _rule_fields(game, rules))(**more)
    return form


def set_up_form(game: Game, like: Book | None = None) -> SetUpForm:
    """The form that starts a series of a game, with as many rows as it has seats.

    It begins with the people, the length and the house rules of a series that it is to be like.
    """
    rules, data = game.defaults, {}
    if like is not None:
        rules = {**game.defaults, **like.rules}
        names = [person.name for person in like.players if not person.left]
        data = {"names": names, **_length_fields(like.length)}
    form: SetUpForm = type("SetUpForm", (SetUpForm,), _rule_fields(game, rules))(data=data)
    while len(form.names) < max(game.seats):
        form.names.append_entry()
    while len(form.drawn) < len(form.names):
        form.drawn.append_entry()
    return form


# --- A round ------------------------------------------------------------------------------------


def ways(game: Game) -> tuple[str, ...]:
    """The ways in which the page takes the piles of a game, fastest first."""
    if game.values.by_kind is None:
        # Cards of a kind differ in value, so numbers of cards tell nothing; months tell more.
        return ("months", *game.forms)
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
            multiplier = whole_number(_typed(self.multiplier.data))
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
        given = {}
        for person in self.seated:
            if pile := self._typed_pile(person):
                if pile.get("chaff") == "" and len(self.feasible[person.id].counts) == 1:
                    # Nobody need say the only number that is possible.
                    pile["chaff"] = self.feasible[person.id].counts[0]
                given[person.id] = pile
        blank = [person.id for person in self.seated if person.id not in given]
        # The last one is filled in, where the deck says what is left.
        if len(blank) == 1 and given and self.whole and self.end.data == "counted":
            given[blank[0]] = {str(self.form.data): "rest"}
        return given

    def _typed_pile(self, person: Person) -> dict[str, Any]:
        fields = self.seat(person)
        if self.form.data == "points":
            text = _typed(fields.points.data)
            return {"points": _number(text)} if text else {}
        if self.form.data == "named":
            named = self.card.of(str(person.id)) & NAMED
            chaff = _typed(fields.chaff.data)
            return {"named": str(named), "chaff": _number(chaff)} if named or chaff else {}
        texts = {kind.key: _typed(fields[kind.key].data) for kind in Kind}
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
            key: _typed(value) if isinstance(value, str) else value
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
        for key, field in self.seat(person).form._fields.items():
            field.data = given["seat"].get(key, [] if isinstance(field.data, list) else None)
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
                times = whole_number(_typed(fields[f"times_{yaku.key}"].data)) or 0
                keys += [yaku.key] * min(times, yaku.most + 1)
        return keys

    @property
    def feasible(self) -> dict[int, Feasible]:
        """How many chaff each player can have with all that is said of them and others, by id."""
        named = [(self.card.of(str(person.id)) & NAMED).mask for person in self.seated]
        said = [whole_number(_typed(self.seat(person).chaff.data)) for person in self.seated]
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
        return not all(_typed(fields[kind].data) for kind in kinds)

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

    @property
    def digest(self) -> str:
        """What tells one content of the form from another; nothing where it is no round yet."""
        try:
            text = json.dumps(self.document(), sort_keys=True)
        except RuleError:
            return ""
        return hashlib.sha256(text.encode()).hexdigest()[:20]

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
            odd = (one for one in fields if whole_number(_typed(one.data)) is None)
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
    book: Book,
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


def blank_round(book: Book, game: Game, seated: Sequence[Person]) -> dict[str, Any]:
    """What the form of the next round begins with."""
    seats = [person.id for person in seated]
    dealer = book.next_dealer if book.next_dealer in seats else None
    return {
        "number": str(book.next_number),
        "key": fresh_key(),
        "form": _last_form(book, game),
        "plays": [str(player) for player in seats],
        "dealer": "" if dealer is None else str(dealer),
    }


def fresh_key() -> str:
    """What makes a round, or a correction, that arrives twice one."""
    return secrets.token_urlsafe(16)


def _named_dealer(book: Book, number: int) -> int | None:
    """Whom the rules named as the dealer of a round."""
    before = book.round(number - 1)
    return before.next_dealer if before else book.first_dealer if number == 1 else None


def filled_round(played: Round, game: Game) -> dict[str, Any]:
    """What the form for correcting a round begins with: the round as it was entered."""
    entry, players = played.entry, played.players
    ids = [str(player) for player in players]
    seats = entry["seats"]
    form = _form_of(seats, game)
    data: dict[str, Any] = {
        "number": str(played.number),
        "revision": str(played.revision),
        "key": fresh_key(),
        "form": form,
        "plays": ids,
        "dealer": str(played.dealer),
        "end": entry.get("end", "counted"),
        "field": _cards_of(entry.get("field")),
        "multiplier": str(entry.get("multiplier", "")),
        "card": {},
        "hand": {},
        "claimed": {},
        "rest_to": TABLE,
        "teyaku_by": "shown",
    }
    if "stopped_by" in entry:
        data["stopped_by"] = ids[entry["stopped_by"]]
    decision = entry.get("decision")
    if decision is not None:
        data["decision"] = ids[decision] if isinstance(decision, int) else decision
    for player, seat, result in zip(ids, seats, played.result["seats"], strict=True):
        data[f"p{player}"] = _filled_seat(seat, result, game, form)
        for yaku in game.by_kind[DEKIYAKU]:
            if yaku.most == 1 and yaku.key in seat.get(DEKIYAKU, ()):
                data["claimed"][yaku.key] = player
        if "captured" in seat and seat["captured"] == "rest":
            data["rest_to"] = player
        else:
            data["card"] |= dict.fromkeys(_cards_of(seat.get("captured")), player)
        if seat.get("named", "rest") != "rest":
            data["card"] |= dict.fromkeys(_cards_of(seat["named"]), player)
        if "hand" in seat:
            data["hand"] |= dict.fromkeys(_cards_of(seat["hand"]), player)
            if TEYAKU not in seat:
                data["teyaku_by"] = "hands"
    return data


_RICHEST = ("captured", "named", "counts", "points")
"""The forms of a pile, each of which tells all that the later ones do."""


def _given(seat: Mapping[str, Any]) -> str | None:
    """The form in which a seat gives its pile."""
    return next((form for form in _RICHEST if form in seat), None)


def _form_of(seats: Iterable[Mapping[str, Any]], game: Game) -> str:
    """The form of this page that tells the most of a round and that all of its seats can be in."""
    given = [_RICHEST.index(form) for seat in seats if (form := _given(seat))]
    if not given:
        return ways(game)[0]
    return next(form for form in _RICHEST[max(given) :] if form in ways(game))


def _filled_seat(
    seat: Mapping[str, Any], result: Mapping[str, Any], game: Game, form: str
) -> dict[str, Any]:
    """The fields of a seat; in a form that tells less than it was given in, its yaku are claims."""
    filled: dict[str, Any] = {"continued": seat.get("continued", False)}
    given = _given(seat)
    lesser = given is not None and given != form and seat[given] != "rest"
    filled |= {kind: str(count) for kind, count in _counts_of(seat).items()}
    if seat.get("points", "rest") != "rest":
        filled["points"] = str(seat["points"])
    elif lesser and form == "points":
        filled["points"] = str(result["card_points"])
    for kind in CLASSES:
        keys = list(seat.get(kind, ()))
        if lesser and form != "named" and kind != TEYAKU:
            keys = _claims_of(result[kind], game)
        for yaku in game.by_kind[kind]:
            if yaku.most > 2:
                filled[f"times_{yaku.key}"] = str(keys.count(yaku.key) or "")
                keys = [key for key in keys if key != yaku.key]
            elif keys.count(yaku.key) == 2:
                keys = [key for key in keys if key != yaku.key] + [f"{yaku.key} {yaku.key}"]
        filled[kind] = keys
    return filled


def _counts_of(seat: Mapping[str, Any]) -> dict[str, int]:
    """How many cards of each kind a seat says that it has, as far as it does."""
    if isinstance(seat.get("counts"), Mapping):
        return dict(seat["counts"])
    given = _given(seat)
    if given not in ("captured", "named") or seat[given] == "rest":
        return {}
    cards = Cards.of(Card.parse(text) for text in _cards_of(seat[given]))
    counts = {kind.key: len(cards & of_kind) for kind, of_kind in OF_KIND.items()}
    return counts | ({Kind.CHAFF.key: seat["chaff"]} if given == "named" else {})


def _claims_of(formed: Iterable[Mapping[str, Any]], game: Game) -> list[str]:
    """The keys that claim what was found in the cards."""
    keys = []
    for one in formed:
        yaku = next(yaku for yaku in game.yaku if yaku.key == one["key"])
        if not yaku.claimable:
            continue
        more = yaku.with_extra is not None and one["value"] > yaku.first
        keys += [yaku.with_extra if yaku.with_extra and more else yaku.key] * one.get("times", 1)
    return keys


def _last_form(book: Book, game: Game) -> str:
    """The form that this table used last."""
    forms = ways(game)
    for played in reversed(book.rounds):
        for seat in played.entry["seats"]:
            for form in forms:
                if form in seat:
                    # The months of a round are kept as the points they come to.
                    kept = "months" in forms and form == "points" and DEKIYAKU in seat
                    return "months" if kept else form
    return forms[0]


def _cards_of(text: Any) -> list[str]:
    if isinstance(text, list):
        text = " ".join(text)
    return [card.text for card in Cards.parse(text)] if text else []


def _typed(text: Any) -> str:
    return text.strip() if isinstance(text, str) else ""


def _number(text: str) -> Any:
    """A number where it is one; else what was typed, for the rules to refuse."""
    number = whole_number(text)
    return text if number is None else number
