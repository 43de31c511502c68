"""Runs everything that is checked: lint, types and all tests, in a real browser where they say so.

    python3 -m tests                    everything, as it must be before a change goes in
    python3 -m tests tests/web          lint and types, and pytest with these arguments
    python3 -m tests --check            lint and types alone

What it needs it installs itself, a browser included; where it cannot, it stops and says so.
Nothing is skipped. This file reads on Python 3.7, see `scorekeeper.bootstrap`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from scorekeeper.bootstrap import ROOT, enter_environment

CHECKS = {
    "lint": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
}


def main(words: list[str]) -> int:
    """Runs the checks and then the tests; returns 1 where any of them fails, else 0."""
    enter_environment("scale", "test")
    runs = dict(CHECKS)
    if words != ["--check"]:
        os.environ["CHROMIUM"] = find_browser()
        # Workers save little on one test and hide the debugger. Whoever is done first takes over
        # what others still have before them: the slow tests, in a browser, stand side by side.
        runs["tests"] = ["pytest", *(words or ["-n", "auto", "--dist", "worksteal"])]
    failed = []
    for name, command in runs.items():
        print(f"-- {name}", flush=True)
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
            failed.append(name)
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nAll is well.", flush=True)
    return 1 if failed else 0


def find_browser() -> str:
    """Returns the path of a Chromium, installing one where there is none.

    Ends the program with a sentence where that is impossible.
    """
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        return shutil.which(chosen) or sys.exit(f"CHROMIUM is {chosen}, which cannot be run.")
    browser = _installed_browser()
    if browser is None:
        print("Installing a browser for the tests ...", file=sys.stderr, flush=True)
        _install_browser()
        browser = _installed_browser()
    return browser or sys.exit(
        "The tests need a Chromium, which is not here and could not be installed. "
        "Install chromium or google-chrome, or set CHROMIUM to the path of one."
    )


def _installed_browser() -> str | None:
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    on_path = next(filter(None, map(shutil.which, names)), None)
    if on_path:
        return on_path
    with sync_playwright() as playwright:
        return shutil.which(playwright.chromium.executable_path)


def _install_browser() -> None:
    """Tries Debian's Chromium where that is allowed, else the one Playwright offers."""
    # The font is for the kanji: a page of empty boxes would pass, too.
    debian = ["chromium-headless-shell", "fonts-ipafont-gothic"]
    if shutil.which("apt-get") and os.geteuid() == 0:
        _succeeds(["apt-get", "update", "-qq"])
        if _succeeds(["apt-get", "install", "-qq", "--no-install-recommends", *debian]):
            return
    _succeeds([sys.executable, "-m", "playwright", "install", "chromium"])


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, stdout=sys.stderr, cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
