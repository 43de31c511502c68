"""What happens between typing a command and the first page: set-up, its refusals, the terminal."""

import ast
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from scorekeeper import bootstrap
from scorekeeper.bootstrap import ROOT, Environment, SetupError
from scorekeeper.serve import terminal_code

NOTHING: frozenset[str] = frozenset()


class Clone:
    """A fresh clone with a stand-in for uv, which notes what it is asked to install."""

    def __init__(self, root: Path) -> None:
        self.root = root / "clone"
        self.tools = root / "tools"
        self.log = root / "installed.txt"
        (self.root / "scorekeeper").mkdir(parents=True)
        self.tools.mkdir()
        self.write("pyproject.toml", "[project]")
        self.write("constraints.txt", "flask==3.1.3")
        for name in ("__init__.py", "__main__.py", "bootstrap.py"):
            self.write(f"scorekeeper/{name}", (ROOT / "scorekeeper" / name).read_text("utf-8"))
        # The command line says what it says as the rules do.
        shutil.copytree(ROOT / "scorekeeper/rules", self.root / "scorekeeper/rules")
        self.uv("exit 0")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def uv(self, body: str) -> None:
        """Decides what installing does; asked for its version, uv always answers."""
        script = f'#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "$*" >> "{self.log}"\n{body}\n'
        (self.tools / "uv").write_text(script)
        (self.tools / "uv").chmod(0o755)

    def provide(self, *extras: str) -> bool:
        return Environment(self.root).provide(frozenset(extras))

    def installed(self) -> list[str]:
        """Returns the project as each install named it, and forgets them."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [line.rpartition("--editable ")[2].replace(str(self.root), ".") for line in lines]

    def runs(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.root,
            env={"PATH": f"{self.tools}:/usr/bin:/bin", **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    clone = Clone(tmp_path)
    monkeypatch.setenv("PATH", str(clone.tools), prepend=os.pathsep)
    return clone


def test_the_first_start_installs_and_the_second_does_nothing(clone):
    assert clone.provide() is True
    assert clone.installed() == ["."]
    assert clone.provide() is False
    assert clone.installed() == []


def test_extras_add_up(clone):
    clone.provide()
    assert clone.provide("test") is True
    assert clone.provide() is False
    assert clone.provide("scale") is True
    assert clone.provide("test") is False
    assert clone.installed() == [".", ".[test]", ".[scale,test]"]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_pins_are_installed_with_the_extras_there_were(clone, name):
    clone.provide("test")
    clone.write(name, "changed")
    assert clone.provide() is True
    assert clone.provide() is False
    assert clone.installed() == [".[test]", ".[test]"]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda env: env.stamp_file.unlink(), id="no stamp"),
        pytest.param(lambda env: env.stamp_file.write_text("{"), id="half a stamp"),
        pytest.param(lambda env: env.stamp_file.write_text("[]"), id="another stamp"),
        pytest.param(lambda env: env.python.unlink(), id="Python is gone"),
        pytest.param(
            lambda env: env.stamp_file.write_text('{"python": "3.1", "pins": "", "extras": []}'),
            id="another Python",
        ),
    ],
)
def test_an_environment_that_cannot_be_used_is_made_anew(clone, spoil):
    clone.provide()
    environment = Environment(clone.root)
    leftover = environment.folder / "leftover"
    leftover.touch()
    spoil(environment)
    assert clone.provide() is True
    assert not leftover.exists()
    assert clone.provide() is False


def test_an_environment_does_not_survive_a_move(clone):
    clone.provide()
    moved = clone.root.rename(clone.root.with_name("moved"))
    assert Environment(moved).provide(NOTHING) is True


def test_a_failed_install_shows_the_last_words_and_is_tried_again(clone):
    clone.uv("echo 'no such package'; exit 1")
    with pytest.raises(SetupError, match=r"^uv failed and said:\n    no such package$"):
        clone.provide()
    clone.uv("exit 0")
    assert clone.provide() is True


def test_two_first_starts_at_once_install_once(clone):
    clone.uv("sleep 0.3")
    starts = [threading.Thread(target=clone.provide) for _ in range(2)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert clone.installed() == ["."]
    assert clone.provide() is False


def test_the_same_command_goes_on_inside(clone):
    clone.write(
        "probe.py",
        "import sys\n"
        "from scorekeeper.bootstrap import enter_environment\n"
        "enter_environment()\n"
        "print(sys.prefix, *sys.argv[1:])\n",
    )
    first, second = (clone.runs("-m", "probe", "--port", "0") for _ in range(2))
    assert first.stdout == second.stdout == f"{clone.root / '.venv'} --port 0\n"
    assert "setting up" in first.stderr
    assert second.stderr == ""


def test_without_pip_and_uv_it_says_what_to_install(clone, tmp_path):
    (clone.tools / "uv").unlink()
    (tmp_path / "pip.py").write_text("raise SystemExit('No module named pip')")
    ended = clone.runs("-m", "scorekeeper", PATH="", PYTHONPATH=str(tmp_path))
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.splitlines()[1:] == [
        "Scorekeeper cannot be set up: it needs pip or uv, and neither was found. "
        "Install one and start again (on Debian and Ubuntu: apt install python3-pip)."
    ]


def test_a_clone_that_cannot_be_written_to_is_a_sentence(clone):
    (clone.root / ".venv.lock").mkdir()  # permissions would not stop root
    ended = clone.runs("-m", "scorekeeper")
    assert ended.returncode == 1
    assert ended.stderr == f"Scorekeeper cannot be set up in {clone.root}: Is a directory.\n"


def test_a_copy_installed_elsewhere_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    bootstrap.enter_environment()
    assert list(tmp_path.iterdir()) == []


def test_an_old_python_is_told_so(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 8, 18, "final", 0))
    with pytest.raises(SystemExit) as end:
        bootstrap.enter_environment()
    assert end.value.code == "Scorekeeper needs Python 3.11 or newer; this is Python 3.8."


@pytest.mark.parametrize(
    "name",
    [
        "scorekeeper/__init__.py",
        "scorekeeper/__main__.py",
        "scorekeeper/bootstrap.py",
        "tests/__init__.py",
        "tests/__main__.py",
    ],
)
def test_an_old_python_can_read_as_far_as_that(name):
    ast.parse((ROOT / name).read_text("utf-8"), feature_version=(3, 7))


def scorekeeper(
    *words: str, given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "scorekeeper", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        input=given,
        capture_output=True,
        check=False,
    )


def assert_refuses_to_start(sentence: str, *words: str) -> None:
    ended = scorekeeper("serve", *words)
    assert ended.stderr.decode() == f"Scorekeeper cannot start. {sentence}\n"
    assert (ended.returncode, ended.stdout) == (1, b"")


def test_a_taken_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert_refuses_to_start(
            f"Port {port} is taken. Choose another with --port.",
            *("--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)),
        )


def test_a_host_that_is_not_this_machine(tmp_path):
    assert_refuses_to_start(
        "198.51.100.7 is not an address of this machine.",
        *("--host", "198.51.100.7", "--port", "0", "--data", str(tmp_path)),
    )


def test_a_data_folder_that_cannot_be_written_to(tmp_path):
    file = tmp_path / "file"
    file.touch()
    assert_refuses_to_start(
        f"The data folder {file} cannot be written to (File exists). Choose another with --data.",
        *("--port", "0", "--data", str(file)),
    )


JAPANESE = [
    {"LANGUAGE": "ja:en"},
    {"LANGUAGE": "", "LC_ALL": "ja_JP.UTF-8", "LANG": "C"},
    {"LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "ja_JP.UTF-8"},
    # Of several, the first that there is.
    {"LANGUAGE": "tlh:ja:en"},
]
OTHERWISE = [
    {"LANGUAGE": "en:ja"},
    {"LANGUAGE": "", "LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"},
    {"LANGUAGE": "jam"},
    {"LANGUAGE": "../ja"},
]


@pytest.mark.parametrize("environment", JAPANESE, ids=str)
def test_a_terminal_in_japanese(environment, tmp_path):
    ended = scorekeeper("check", "--data", str(tmp_path), **environment)
    assert ended.stderr.decode() == f"{tmp_path}に帳簿がありません。\n"


@pytest.mark.parametrize("environment", OTHERWISE, ids=str)
def test_a_terminal_in_another_language(environment, tmp_path):
    ended = scorekeeper("check", "--data", str(tmp_path), **environment)
    assert ended.stderr.decode() == f"There are no books in {tmp_path}.\n"


def test_why_it_cannot_start_in_japanese(tmp_path):
    place = "--host", "198.51.100.7", "--port", "0", "--data", str(tmp_path)
    ended = scorekeeper("serve", *place, LANGUAGE="ja")
    assert ended.stderr.decode() == (
        "Scorekeeperを起動できません。198.51.100.7はこの機器のアドレスではありません。\n"
    )


def test_the_help_in_japanese():
    ended = scorekeeper("--help", LANGUAGE="ja")
    assert "サーバーを起動する" in ended.stdout.decode()
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--port", "http"),
        ("--public-url", "example.org"),
        ("--public-url", "ftp://example.org"),
        ("--public-url", "https://"),
        ("--public-url", "https://example.org/?a"),
    ],
)
def test_an_option_that_cannot_be_meant(option, value):
    ended = scorekeeper(f"{option}={value}")
    assert ended.returncode == 2
    assert f"argument {option}" in ended.stderr.decode()


@contextlib.contextmanager
def running(data: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "scorekeeper", "--port", "0", "--data", str(data), *words]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_the_server_says_where_it_is_serves_and_stops(tmp_path):
    data = tmp_path / "new" / "data"
    with running(data, "--host", "127.0.0.1") as server:
        first, second = server.stdout.readline(), server.stdout.readline()
        assert second == "No phone can open that: it listens here alone.\n"
        port = re.fullmatch(r"Scorekeeper is running at http://localhost:(\d+)/\n", first)[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert page.status == 200
        assert list(data.iterdir())
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) == 0
        # Read from the same buffer as the lines above; `communicate` would read past it.
        assert (server.stdout.read(), server.stderr.read()) == ("\nCtrl+C stops it.\n", "")


def test_the_public_address_is_the_one_shown(tmp_path):
    with running(tmp_path, "--public-url", "https://table.example/") as server:
        shown = [server.stdout.readline() for _ in range(4)]
        assert "".join(shown) == (
            "Scorekeeper is running. Open this on the phones at the table:\n"
            "https://table.example/\n\n"
            "Ctrl+C stops it.\n"
        )


def test_a_database_of_a_newer_version(tmp_path):
    with running(tmp_path) as server:
        server.stdout.readline()
    with contextlib.closing(sqlite3.connect(tmp_path / "scorekeeper.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = 'from the future'")
    assert_refuses_to_start(
        "This database was written by a newer version of Scorekeeper; "
        "install that version, or open another database.",
        *("--port", "0", "--data", str(tmp_path)),
    )


def test_the_code_in_the_terminal_can_be_scanned():
    address = "http://192.168.178.23:8000/"
    rows = []
    for line in terminal_code(address):
        cells = re.sub(r"\x1b\[[\d;]+m", "", line)
        rows += [[cell in upper for cell in cells] for upper in ("▀█", "▄█")]
    image = Image.new("L", (len(rows[0]), len(rows)), 255)
    image.putdata([0 if dark else 255 for row in rows for dark in row])
    found = zxingcpp.read_barcodes(image.resize((image.width * 6, image.height * 6), 0))
    assert [code.text for code in found] == [address]


# Settling on the command line: the contract's example, and everything that is not a round.

ROUND: dict[str, Any] = {
    "game": "yokohama-bana",
    "rules": {"tie": "nobody"},
    "dealer": 0,
    "end": "counted",
    "seats": [
        {"name": "Aki", "points": 104, "teyaku": ["sanbon"]},
        {"name": "Ben", "points": 84},
        {"name": "Chie", "points": "rest"},
    ],
}


def settles(given: bytes, *words: str) -> tuple[int, Any]:
    ended = scorekeeper("settle", "-", *words, given=given)
    assert ended.stderr == b""
    return ended.returncode, json.loads(ended.stdout.decode("utf-8"))


def test_a_round_is_settled_with_nothing_installed(tmp_path):
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND))
    ended = subprocess.run(  # -S: without installed packages
        [sys.executable, "-S", "-m", "scorekeeper", "settle", str(file)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert json.loads(ended.stdout)["amounts"] == [2, -1, -1]


def test_a_round_may_begin_with_a_byte_order_mark():
    status, answer = settles(b"\xef\xbb\xbf" + json.dumps(ROUND).encode())
    assert (status, answer["amounts"]) == (0, [2, -1, -1])


def test_a_refused_round_ends_with_2():
    status, answer = settles(json.dumps({**ROUND, "game": "poker"}).encode())
    assert (status, answer["error"]["code"]) == (2, "unknown_game")


def test_a_list_is_answered_in_order_with_refusals_in_their_place():
    status, answers = settles(json.dumps([ROUND, {**ROUND, "game": "poker"}, 7, ROUND]).encode())
    assert status == 0
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        None,
        "unknown_game",
        "not_a_round",
        None,
    ]
    assert settles(b"[]") == (0, [])


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="half an object"),
        pytest.param(b"7", id="a number"),
        pytest.param(b"NaN", id="not a number"),
        pytest.param(b'{"game": -Infinity}', id="infinity"),
        pytest.param(b'{"game": "\xff"}', id="not UTF-8"),
        pytest.param(b"[" * 100_000, id="a deep list"),
        pytest.param(b'{"seats": ' * 100_000, id="a deep object"),
        pytest.param(b'{"dealer": ' + b"9" * 5000 + b"}", id="a huge number"),
    ],
)
def test_what_is_not_a_round_is_refused(given):
    status, answer = settles(given)
    assert (status, answer["error"]["code"]) == (2, "not_a_round")


@pytest.mark.parametrize("field", ["name", "captured"])
def test_half_a_letter_which_utf8_cannot_hold_breaks_nothing(field):
    aki, *others = ROUND["seats"]
    status, answer = settles(
        json.dumps({**ROUND, "seats": [{**aki, field: "\ud800"}, *others]}).encode()
    )
    assert status == (2 if "error" in answer else 0)


def test_a_file_that_is_not_there_is_a_sentence():
    ended = scorekeeper("settle", "no-such-round.json")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr == b"Cannot read no-such-round.json: No such file or directory.\n"


def test_another_language_changes_words_and_nothing_else():
    english, japanese = (
        settles(json.dumps(ROUND).encode(), "--lang", lang)[1] for lang in ("en", "ja")
    )
    assert len(english.pop("working")) == len(japanese.pop("working"))
    for answer in (english, japanese):
        for payment in answer["payments"]:
            del payment["for"]
    assert english == japanese


def test_an_unknown_language_is_refused():
    assert scorekeeper("settle", "-", "--lang", "tlh").returncode == 2
