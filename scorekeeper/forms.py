"""The forms of the pages: joining, starting a series, and what may be changed about one.

They know no rules. They are built from a game's value and take everything that is typed as it is;
whether that is allowed is for the ledger to say, and its refusal is hung on the field it is about,
with everything that was typed still in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from flask_wtf import FlaskForm
from wtforms import (
    Field,
    FieldList,
    Form,
    HiddenField,
    RadioField,
    SelectField,
    StringField,
)
from wtforms.validators import ValidationError

from scorekeeper.ledger import Book
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import (
    Card,
    earliest,
)
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.game import Game
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.words import html, language, translator


def one_of(*values: str) -> Callable[[Form, Field], None]:
    """Accepts these values alone, as the page offers them."""

    def check(form: Form, field: Field) -> None:
        if field.data not in values:
            raise ValidationError(html(say("Choose one of these.")))

    return check


def stripped(text: Any) -> str:
    """What was typed into a field, without the space around it; nothing where it was not there."""
    return text.strip() if isinstance(text, str) else ""


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


class WithdrawForm(TableForm):
    """A button that withdraws a round, and why, if somebody likes to say so."""

    about: ClassVar = {"reason": "reason"}
    reason = StringField()


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
        number = whole_number(stripped(text))
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
    def _choices(self) -> list[Field]:
        """The field of each house rule."""
        return [self[f"rule_{rule.key}"] for rule in self.game.house_rules]

    @property
    def _others(self) -> list[Field]:
        return [field for field in self._choices if field.data != "0"]

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal of rules that do not go together on one that is not as usual."""
        if refusal.field == "rules" and self._others:
            self.hang(refusal.sentence, self._others[0])
        else:
            super().refuse(refusal)

    @property
    def rules(self) -> dict[str, Any]:
        """A value for each house rule."""
        return self._values(field.data for field in self._choices)

    def _values(self, places: Iterable[str]) -> dict[str, Any]:
        """The value of each house rule, by the places of the choices."""
        return {
            rule.key: rule.choices[int(at)].value
            for rule, at in zip(self.game.house_rules, places, strict=True)
        }


class ChangeRulesForm(RulesForm):
    """Other house rules for a table that has some.

    `shown` are the places of the choices as the page had them. What somebody left as it was shown
    is theirs no more than anybody's: it stays what others made of it since.
    """

    shown = HiddenField()

    @property
    def now(self) -> tuple[str, ...]:
        """The places of the choices in force."""
        return tuple(str(field.default) for field in self._choices)

    @property
    def _shown(self) -> tuple[str, ...]:
        shown = tuple((self.shown.data or "").split())
        places = [{str(at) for at in range(len(rule.choices))} for rule in self.game.house_rules]
        known = len(shown) == len(places) and all(map(set.__contains__, places, shown))
        return shown if known else self.now

    @property
    def seen(self) -> dict[str, Any]:
        """A value for each house rule, as the page had them."""
        return self._values(self._shown)

    @property
    def changes(self) -> dict[str, Any]:
        """The house rules that were chosen otherwise than the page had them."""
        chosen = zip(self.rules.items(), self._choices, self._shown, strict=True)
        return {key: value for (key, value), field, shown in chosen if field.data != shown}

    def follow(self) -> None:
        """Takes over what others changed, wherever nothing else was chosen here."""
        for field, shown in zip(self._choices, self._shown, strict=True):
            if field.data == shown:
                field.data = field.default

    def refuse(self, refusal: RuleError) -> None:
        """Hangs a refusal of a rule that others changed meanwhile on that."""
        field = f"rule_{refusal.field}"
        if refusal.code == "stale" and field in self:
            self.hang(refusal.sentence, self[field])
        else:
            super().refuse(refusal)


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
        return [name for name in map(stripped, self.names.data) if name]

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
                name = Name(stripped(self.names.data[row]))
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
        *names, last = [Name(stripped(self.names.data[row])) for row in first]
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
        return [row for row, name in enumerate(self.names.data) if stripped(name)]

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


def rules_form(game: Game, rules: Mapping[str, Any], **more: Any) -> ChangeRulesForm:
    """The form that changes the house rules of a table."""
    fields = _rule_fields(game, rules)
    form: ChangeRulesForm = type("RulesForm", (ChangeRulesForm,), fields)(**more)
    return form


def set_up_form(game: Game, like: Book | None = None) -> SetUpForm:
    """The form that starts a series of a game, with as many rows as it has seats.

    It begins with the people, the length and the house rules of a series that it is to be like.
    """
    rules: Mapping[str, Any] = game.defaults
    data = {}
    if like is not None:
        rules = like.rules
        names = [person.name for person in like.players if not person.left]
        data = {"names": names, **_length_fields(like.length)}
    form: SetUpForm = type("SetUpForm", (SetUpForm,), _rule_fields(game, rules))(data=data)
    while len(form.names) < max(game.seats):
        form.names.append_entry()
    while len(form.drawn) < len(form.names):
        form.drawn.append_entry()
    return form
