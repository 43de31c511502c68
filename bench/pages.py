"""Pages: what Lighthouse gives the scoreboard and the page for entering, on a phone it imagines.

Each is the median of five runs, with nothing kept from the run before. Lighthouse comes from npm
into a folder that is thrown away; where there is no node, or no Chromium, nothing is measured.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from bench import Figure
from bench.server import serving

LIGHTHOUSE = "lighthouse@12"  # the last to run on node 20
CATEGORIES = ("performance", "accessibility", "best-practices")
RUNS = 5
GOAL = 98
ROUNDS = 7  # that were played when the pages are looked at
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 180  # seconds for a run


def figures() -> Iterator[Figure]:
    """Scores of 100, page by page."""
    npx = shutil.which("npx")
    browser = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *BROWSERS))), "")
    if npx is None:
        print("  Not measured: Lighthouse needs node, and there is no npx here.", flush=True)
    elif not browser:
        print("  Not measured: Lighthouse needs a Chromium, and there is none here.", flush=True)
    else:
        with serving() as server, tempfile.TemporaryDirectory() as folder:
            board, cookies = _evening(f"http://127.0.0.1:{server.port}")
            lighthouse = _Lighthouse(npx, browser, Path(folder), cookies)
            for name, address in {
                "scoreboard": board,
                "entering by counts": f"{board}/rounds/new?use=counts",
                "entering by cards": f"{board}/rounds/new?use=captured",
            }.items():
                runs = [lighthouse.look(address) for _ in range(RUNS)]
                for category in CATEGORIES:
                    score = median(run[category] for run in runs)
                    yield Figure(f"{name}, {category}", score, "of 100", GOAL, least=True)


def _evening(home: str) -> tuple[str, str]:
    """A series in the middle of an evening, and the cookies of a phone that scores it."""
    cookies = CookieJar()
    opener = build_opener(HTTPCookieProcessor(cookies))

    def call(path: str, body: dict[str, Any], secret: str = "") -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
        request = Request(f"{home}/api/v1{path}", json.dumps(body).encode(), headers)
        with opener.open(request) as answer:
            return json.load(answer)

    series = call("/series", {"game": "bakappana", "players": ["Aki", "Ben", "Chie"]})
    secret = series["secrets"]["enter"]
    for number in range(1, ROUNDS + 1):
        points = (100 + number, 84 - number, 80)
        seats = [{"player": at, "points": one} for at, one in enumerate(points, 1)]
        call(f"/series/{series['id']}/rounds", {"number": number, "seats": seats}, secret)

    with opener.open(f"{home}/j") as answer:
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', answer.read().decode())
    assert token
    joined = urlencode({"csrf_token": token[1], "link": secret}).encode()
    opener.open(Request(f"{home}/j", joined, {"Referer": f"{home}/j"})).close()
    kept = "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies)
    return f"{home}/s/{series['id']}", kept


class _Lighthouse:
    """Lighthouse, in a folder for whatever it needs."""

    def __init__(self, npx: str, browser: str, folder: Path, cookies: str) -> None:
        self._folder, self._report = folder, folder / "report.json"
        headers = folder / "headers.json"
        headers.write_text(json.dumps({"Cookie": cookies}))
        # Where root runs it, Chromium's sandbox cannot start.
        root = " --no-sandbox" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
        self._command = [
            *(npx, "--yes", "--cache", str(folder / "npm"), LIGHTHOUSE),
            *("--quiet", "--output=json", f"--output-path={self._report}"),
            f"--only-categories={','.join(CATEGORIES)}",
            f"--extra-headers={headers}",
            f"--chrome-flags=--headless{root}",
        ]
        self._environment = {**os.environ, "CHROME_PATH": browser}

    def look(self, address: str) -> dict[str, float]:
        """The scores of a page."""
        done = subprocess.run(
            [*self._command, address],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"Lighthouse failed:\n{done.stderr[-2000:]}")
        report = json.loads(self._report.read_text())
        return {name: 100 * one["score"] for name, one in report["categories"].items()}
