"""Makes the program's own environment, so that one command on a fresh clone is enough.

`python3 -m scorekeeper` calls `enter_environment()`, which makes `.venv` beside the package,
installs what pyproject.toml asks for at the versions of constraints.txt, and starts the same
command again inside it. A stamp in `.venv` says what it holds, so the next start only reads that
stamp. A copy installed from a wheel has its dependencies already and is left alone.

Only the standard library is used here, and the file reads on Python 3.7, so that an older Python
is told what is wrong instead of showing a traceback.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

try:
    import fcntl
except ImportError:  # Windows, where nothing keeps two first starts apart
    fcntl = None  # type: ignore[assignment]

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent


class SetupError(Exception):
    """Says in a sentence, for the person who typed the command, why set-up cannot go on."""


def require_python() -> None:
    """Ends the program with a sentence where this Python is too old to read the rest of it."""
    if sys.version_info < OLDEST_PYTHON:
        needed, found = map(_written, (OLDEST_PYTHON, sys.version_info))
        sys.exit(f"Scorekeeper needs Python {needed} or newer; this is Python {found}.")


def checkout() -> Path | None:
    """Returns the folder of the clone this runs from, or None for a copy installed elsewhere."""
    return ROOT if (ROOT / "pyproject.toml").is_file() else None


def enter_environment(*extras: str) -> None:
    """Returns only inside an environment that has the dependencies and the named extras.

    Outside it, that environment is completed first, and the running command is then replaced by
    the same command inside. Where this is impossible the program ends with a sentence.
    """
    require_python()
    root = checkout()
    if root is None:
        return
    environment = Environment(root)
    try:
        changed = environment.provide(frozenset(extras))
    except SetupError as problem:
        sys.exit(f"Scorekeeper cannot be set up: {problem}")
    except OSError as problem:
        sys.exit(f"Scorekeeper cannot be set up in {root}: {problem.strerror}.")
    except KeyboardInterrupt:
        sys.exit("Stopped before set-up was complete; the next start makes it anew.")
    if changed or Path(sys.executable).parent != environment.python.parent:
        _start_again(environment.python)


class Stamp(NamedTuple):
    """What an environment holds: for which Python, from which pins, with which extras."""

    python: str
    pins: str
    extras: frozenset[str]


class Environment:
    """The `.venv` of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.stamp_file = self.folder / "scorekeeper.json"

    def provide(self, extras: frozenset[str]) -> bool:
        """Installs what is missing and returns whether there was anything to do."""
        if self._holds(extras):
            return False
        with self._alone():
            if not self._holds(extras):  # else another start did it while this one waited
                self._build(extras)
        return True

    def _holds(self, extras: frozenset[str]) -> bool:
        stamp = self._stamp()
        return stamp is not None and stamp.pins == self._pins() and extras <= stamp.extras

    def _build(self, extras: frozenset[str]) -> None:
        print("Scorekeeper: setting up .venv, about half a minute ...", file=sys.stderr, flush=True)
        stamp, pins = self._stamp(), self._pins()
        if stamp is None:
            _run("venv", [sys.executable, "-m", "venv", "--without-pip", "--clear", self.folder])
        else:
            # Extras only add up: otherwise starting and testing would undo each other's work.
            extras |= stamp.extras
            # Without its stamp, an install that stops half-way is made anew at the next start.
            self.stamp_file.unlink()
        name, install = _installer(self.python)
        project = f"{self.root}[{','.join(sorted(extras))}]" if extras else str(self.root)
        versions = self.root / "constraints.txt"
        _run(name, [*install, "--quiet", "--constraint", versions, "--editable", project])
        contents = {"python": _PYTHON, "pins": pins, "extras": sorted(extras)}
        self.stamp_file.write_text(json.dumps(contents), encoding="utf-8")

    def _stamp(self) -> Stamp | None:
        """Returns what is installed, or None where there is nothing for this Python."""
        try:
            contents = json.loads(self.stamp_file.read_text(encoding="utf-8"))
            stamp = Stamp(contents["python"], contents["pins"], frozenset(contents["extras"]))
        except (OSError, ValueError, LookupError, TypeError):
            return None
        return stamp if stamp.python == _PYTHON and self.python.exists() else None

    def _pins(self) -> str:
        """Hashes what decides the content; the folder too, since an environment cannot move."""
        digest = hashlib.sha256(os.fsencode(self.root))
        for name in ("pyproject.toml", "constraints.txt"):
            digest.update((self.root / name).read_bytes())
        return digest.hexdigest()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps two first starts from installing over each other; a dead one holds nothing up."""
        with open(self.root / ".venv.lock", "a", encoding="utf-8") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _written(version: tuple[Any, ...]) -> str:
    return ".".join(map(str, version[:2]))


_PYTHON = _written(sys.version_info)


def _installer(python: Path) -> tuple[str, list[str | Path]]:
    """Returns the name of the tool at hand and its command for installing into `python`."""
    uv = shutil.which("uv")
    if uv and _works([uv, "--version"]):
        return "uv", [uv, "pip", "install", "--python", python]
    # Inside .venv there is no pip; the Python it was made from may have one.
    base = getattr(sys, "_base_executable", sys.executable)
    if _works([base, "-m", "pip", "--version"]):
        pip = [base, "-m", "pip", "--python", python, "--disable-pip-version-check"]
        return "pip", [*pip, "install"]
    raise SetupError(
        "it needs pip or uv, and neither was found. Install one and start again "
        "(on Debian and Ubuntu: apt install python3-pip)."
    )


def _works(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _run(name: str, command: list[str | Path]) -> None:
    """Runs a tool in silence and raises SetupError with its last words where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        words = done.stdout.decode(errors="replace").strip().splitlines()[-12:]
        raise SetupError("\n    ".join([f"{name} failed and said:", *words]))


def _start_again(python: Path) -> NoReturn:
    command = [str(python), *sys.orig_argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":  # there, exec returns to the prompt while the program still runs
        sys.exit(subprocess.call(command))
    os.execv(python, command)
