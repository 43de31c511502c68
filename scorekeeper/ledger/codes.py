"""Short codes to type, and how often somebody may try.

    code = new_code(series_id, Role.ENTER)    "7F3KQ2ZX", good for ten minutes
    recognise("7f3k q2zx", "192.0.2.7")       the secret that it stands for

The secret of a link has 256 bits, and nobody guesses that. A short code has 40, so it lives ten
minutes, opens one series by one role, and wrong tries are counted: ten within ten minutes from one
address, and that address waits; twenty that begin like one code, and that code is dead. Wrong tries
from everywhere together only make the answers slower: nobody can lock the tables out. A link that
is right always opens, whatever was tried before.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import sleep
from unicodedata import normalize

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role, find_secret, make_secret, seal
from scorekeeper.ledger.chain import now
from scorekeeper.ledger.database import UnknownSeries, queue_up, reading, writing
from scorekeeper.ledger.tables import Secret, TypedCode, WrongTry
from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import Sentence, say

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: nothing in it looks like something else in it."""

LENGTH = 8
START = 4
"""No two codes begin with the same four characters, so a wrong try counts against one of them."""

LIFE = timedelta(minutes=10)
"""How long a code is good, and how long a wrong try counts."""

CLIENT_TRIES, CODE_TRIES = 10, 20
BUSY = 100
"""So many wrong tries on the whole server that each further answer waits a little."""
PAUSE = 0.3  # seconds

SHORT = {Role.VIEW, Role.ENTER}
"""Which roles have short codes. The host's link has none: it is kept, not typed."""


class TooManyTries(RuleError):
    """Too many wrong links or codes came from here, or at this code; `wait` is in seconds."""

    def __init__(self, wait: int, sentence: Sentence) -> None:
        self.wait = wait
        super().__init__("too_many_tries", sentence)


_DEAD = say("Too many wrong codes began like this one. Ask for a new one.")


@dataclass(frozen=True)
class Code:
    """A code that is good now, as it is shown, and for how many seconds."""

    text: str
    left: int

    @property
    def shown(self) -> str:
        return f"{self.text[:START]} {self.text[START:]}"

    @property
    def minutes(self) -> int:
        """For how long it can be typed, at least."""
        return max(1, self.left // 60)


def new_code(series_id: str, role: Role) -> Code:
    """Makes a code that stands for the secret of a role; those made before stay good."""
    at = now()
    with writing() as books:
        queue_up(books, b"code")
        books.execute(delete(TypedCode).where(TypedCode.expires_at <= at))
        current = books.get(Secret, (series_id, role))
        if current is None:
            raise UnknownSeries(series_id)
        while True:
            salt = secrets.token_bytes(16)
            text = _text(series_id, role, current.generation, salt)
            same = select(TypedCode).where(TypedCode.start_hash == _mac(text[:START]))
            if books.scalar(same) is None:
                break
        books.add(
            TypedCode(
                hash=_mac(text),
                start_hash=_mac(text[:START]),
                series_id=series_id,
                role=role,
                generation=current.generation,
                salt=salt,
                expires_at=at + LIFE,
                wrong=0,
            )
        )
    return Code(text, _seconds(LIFE))


def shown_codes(series_id: str) -> dict[Role, Code]:
    """The newest code of each role that is good now; looking makes none."""
    at = now()
    with reading() as books:
        rows = books.scalars(
            select(TypedCode)
            .where(TypedCode.series_id == series_id, TypedCode.expires_at > at)
            .where(TypedCode.wrong < CODE_TRIES)
            .order_by(TypedCode.expires_at)
        )
        return {
            Role(row.role): Code(
                _text(row.series_id, row.role, row.generation, row.salt),
                _seconds(row.expires_at - at),
            )
            for row in rows
        }


def recognise(typed: str, address: str) -> str | None:
    """The secret that a secret or a short code stands for; None where it opens nothing.

    `address` is where the try came from. Raises TooManyTries, for a right code too, where too many
    wrong ones came before.
    """
    if not typed.strip():
        return None
    if find_secret(typed) is not None:
        return typed
    client, at = seal("client", _client(address).encode()), now()
    with reading() as books:
        _check(books, client, at)
        everywhere = books.scalar(select(func.count()).where(WrongTry.at > at - LIFE)) or 0
    if everywhere >= BUSY:
        sleep(PAUSE)
    with writing() as books:
        queue_up(books, client)
        _check(books, client, at)
        code = _read(typed)
        if code is not None:
            alike = select(TypedCode).where(TypedCode.start_hash == _mac(code[:START]))
            found = books.scalar(alike.with_for_update())
            if found is not None and found.expires_at > at:
                if found.wrong >= CODE_TRIES:
                    raise TooManyTries(_seconds(LIFE), _DEAD)
                if found.hash == _mac(code):
                    return make_secret(found.series_id, found.role, found.generation)
                found.wrong += 1
        books.execute(delete(WrongTry).where(WrongTry.at <= at - LIFE))
        books.add(WrongTry(client=client, at=at))
    return None


def _check(books: Session, client: bytes, at: datetime) -> None:
    """Raises TooManyTries where this client has had its tries."""
    tries = select(WrongTry.at).where(WrongTry.client == client, WrongTry.at > at - LIFE)
    times = sorted(books.scalars(tries))
    if len(times) >= CLIENT_TRIES:
        wait = max(1, _seconds(times[-CLIENT_TRIES] + LIFE - at))
        sentence = say(
            "Too many wrong codes came from here. Wait %(minutes)s minutes, or scan the code.",
            minutes=ceil(wait / 60),
        )
        raise TooManyTries(wait, sentence)


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _client(address: str) -> str:
    """Who an address stands for: with IPv6, everybody has many of them."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))
    return str(ip)


def _read(typed: str) -> str | None:
    """A code as it was meant: small letters, spaces and look-alikes are forgiven."""
    letters = "".join(normalize("NFKC", typed).upper().replace("-", "").split())
    letters = letters.translate(str.maketrans("OIL", "011"))
    return letters if len(letters) == LENGTH and set(letters) <= set(ALPHABET) else None


def _text(series_id: str, role: str, generation: int, salt: bytes) -> str:
    mac = seal("typed", series_id.encode(), role.encode(), str(generation).encode(), salt)
    number = int.from_bytes(mac[:5], "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


def _mac(text: str) -> bytes:
    # 40 bits are soon found in a plain hash; the key of the instance is not in the database.
    return seal("code", text.encode())
