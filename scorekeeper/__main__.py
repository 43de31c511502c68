"""The command line.

    python3 -m scorekeeper                     starts the server
    python3 -m scorekeeper serve --port 9000   likewise, with options
    python3 -m scorekeeper settle round.json   settles one round, or a list of rounds
    python3 -m scorekeeper check               checks the books, and says what differs

It speaks the language of the terminal. Settling in English needs nothing but Python; everything
else first makes its own environment.
This file reads on Python 3.7, see `bootstrap`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekeeper.bootstrap import enter_environment, require_python

if TYPE_CHECKING:
    from scorekeeper.rules.sentence import Sentence, Translator


def main(words: list[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    require_python()
    for stream in (sys.stdout, sys.stderr):
        # A name or a language that this terminal cannot write is no reason to fail.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    to = _translator()
    options = _options(sys.argv[1:] if words is None else words, to)
    status: int = options.run(options, to)
    return status


def _translator() -> Translator:
    """What writes in the language of the terminal, as its surroundings name it."""
    from scorekeeper.rules.sentence import ENGLISH

    named = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next(filter(None, map(os.environ.get, named)), "")
    # "ja_JP.UTF-8", or several: "ja:en".
    for tag in re.findall(r"(?:^|:)([a-z]{2,3})(?![a-z])", wanted):
        if tag == "en":
            break
        if Path(__file__).with_name("translations").joinpath(f"{tag}.po").is_file():
            enter_environment()
            from scorekeeper.words import translator

            return translator(tag)
    return ENGLISH


def _options(words: list[str], to: Translator) -> argparse.Namespace:
    _ = to.gettext
    parser = argparse.ArgumentParser(
        prog="scorekeeper",
        description=_("Keeps score when a table plays hanafuda."),
    )
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND")

    serve = commands.add_parser(
        "serve",
        help=_("start the server; what happens without a command"),
        epilog=_("DATABASE_URL=postgresql://... in the environment keeps the series there."),
    )
    serve.set_defaults(run=_serve)
    serve.add_argument("--host", default="0.0.0.0", help=_("address to listen on (default: all)"))
    serve.add_argument("--port", type=_port, default=8000, help=_("default: 8000; 0: any"))
    _add_data(serve, to)
    serve.add_argument(
        "--public-url",
        type=_url,
        metavar="URL",
        help=_("the address phones use, where it is not this machine's own"),
    )
    serve.add_argument(
        "--proxies",
        type=int,
        default=0,
        metavar="N",
        help=_("proxies before this server whose forwarding headers are believed (default: none)"),
    )

    settle = commands.add_parser("settle", help=_("settle rounds written as JSON"))
    settle.set_defaults(run=_settle)
    settle.add_argument(
        "file",
        metavar="FILE",
        help=_("one round or a list of them; - reads standard input"),
    )
    settle.add_argument(
        "--lang",
        choices=("en", "ja"),
        default="en",
        help=_("language of the working"),
    )

    check = commands.add_parser(
        "check",
        help=_(
            "check the books: settle every round again, add up every posting, verify the history"
        ),
        epilog=_("DATABASE_URL=postgresql://... in the environment checks the series there."),
    )
    check.set_defaults(run=_check)
    _add_data(check, to)
    check.add_argument("--series", metavar="ID", help=_("one series alone (default: all)"))

    if not words or words[0] not in (*commands.choices, "-h", "--help"):
        words = ["serve", *words]
    return parser.parse_args(words)


def _add_data(command: argparse.ArgumentParser, to: Translator) -> None:
    _ = to.gettext
    command.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help=_("where database and secrets live (default: instance/ beside the program)"),
    )


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is not between 0 and 65535")
    return port


def _url(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an address like https://example.org")
    return text.rstrip("/")


def _serve(options: argparse.Namespace, to: Translator) -> int:
    enter_environment(*(["scale"] if os.environ.get("DATABASE_URL") else []))
    from scorekeeper.rules.sentence import say
    from scorekeeper.serve import ServeError, serve

    try:
        serve(options.host, options.port, options.data, options.public_url, options.proxies, to)
    except ServeError as problem:
        _complain(say("Scorekeeper cannot start. %(why)s", why=problem.sentence), to)
        return 1
    return 0


def _complain(sentence: Sentence, to: Translator) -> None:
    print(sentence.render(to), file=sys.stderr)


def _settle(options: argparse.Namespace, to: Translator) -> int:
    """Writes the answer, and nothing else, to standard output; 2 says refused."""
    from scorekeeper.rules.sentence import say

    translator = None
    if options.lang != "en":
        enter_environment()
        from scorekeeper.words import translator as translator_for

        translator = translator_for(options.lang)
    try:
        written = (
            sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        )
    except OSError as problem:
        why = str(problem.strerror)
        _complain(say("Cannot read %(file)s: %(why)s.", file=options.file, why=why), to)
        return 2
    answer, status = _answer(written, translator)
    # Half a surrogate pair in a name is the one thing UTF-8 cannot hold; written with a backslash
    # it is the same JSON.
    text = json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace")
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()
    return status


def _check(options: argparse.Namespace, to: Translator) -> int:
    """Writes a sentence for each series, where it stands or what differs in it.

    1 says that something did, or that none was read. Nothing is changed: where new rules would
    count an old round otherwise, that is only said.
    """
    enter_environment(*(["scale"] if os.environ.get("DATABASE_URL") else []))
    from scorekeeper.ledger import LedgerError, UnknownSeries, check, close, open_to_check
    from scorekeeper.rules.sentence import say
    from scorekeeper.serve import default_data

    url, folder = os.environ.get("DATABASE_URL") or None, options.data or default_data()
    file = folder / "scorekeeper.db"
    if url is None and not (file.is_file() and file.stat().st_size):
        _complain(say("There are no books in %(folder)s.", folder=str(folder)), to)
        return 1
    try:
        with open_to_check(folder.absolute(), url).app_context():
            try:
                checked = check(options.series)
            finally:
                close()
    except LedgerError as problem:
        _complain(say("The books cannot be checked. %(why)s", why=problem.sentence), to)
        return 1
    except UnknownSeries:
        _complain(say("There is no series %(id)s.", id=options.series), to)
        return 1
    for sentence in [each.sentence for each in checked.sealed] + [
        each.sentence for each in checked.differences
    ]:
        print(sentence.render(to))
    if not checked.differences:
        whole = say(
            "%(series)s series, %(revisions)s rounds and corrections: all is as it was written.",
            series=checked.series,
            revisions=checked.revisions,
        )
        print(whole.render(to))
    return 1 if checked.differences else 0


def _answer(written: bytes, translator: Translator | None) -> tuple[Any, int]:
    """Settles one round or each of a list; returns what to print and the exit status."""
    from scorekeeper.rules import RuleError, settle
    from scorekeeper.rules.sentence import say

    def answer(document: Any) -> dict[str, Any]:
        try:
            return settle(document, translator)
        except RuleError as refusal:
            return refusal.as_dict(translator)

    try:
        document = json.loads(written, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return RuleError("not_a_round", say("This is not JSON.")).as_dict(translator), 2
    if isinstance(document, list):
        return [answer(each) for each in document], 0
    answered = answer(document)
    return answered, 2 if "error" in answered else 0


def _refuse_constant(name: str) -> None:
    """Refuses NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{name} is not JSON")


if __name__ == "__main__":
    sys.exit(main())
