"""The house keeps its own rules: who may import whom, and what no code may ask."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "scorekeeper"

# What a part of the house may take from the others; the standard library is everybody's.
MAY_USE = {
    "rules": {"scorekeeper.rules"},
    "ledger": {"scorekeeper.rules", "scorekeeper.ledger", "flask", "flask_sqlalchemy"}
    | {"sqlalchemy", "alembic"},
    "cookies": {"flask", "werkzeug"},
    "words": {"scorekeeper.rules", "scorekeeper.cookies", "babel", "flask", "markupsafe"},
    "share": {"flask", "markupsafe", "qrcode", "werkzeug"},
    "forms": {"scorekeeper.rules", "scorekeeper.ledger", "scorekeeper.words"}
    | {"flask_wtf", "werkzeug", "wtforms"},
}


def imports(source: Path) -> Iterator[str]:
    """Every module that a file imports, as a dotted name."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{source.name} imports by dots"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(part: str) -> list[Path]:
    folder = PACKAGE / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def within(module: str, allowed: set[str]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in allowed)


@pytest.mark.parametrize("part", MAY_USE)
def test_dependencies_point_one_way(part):
    found = {
        (source.name, module)
        for source in files(part)
        for module in imports(source)
        if module.partition(".")[0] not in sys.stdlib_module_names
        and not within(module, MAY_USE[part])
    }
    assert not found


def test_the_rules_neither_read_a_clock_nor_draw_lots_nor_touch_a_file():
    impure = {"datetime", "io", "os", "pathlib", "random", "secrets", "socket", "time"}
    used = {module.partition(".")[0] for source in files("rules") for module in imports(source)}
    assert not used & impure


def test_no_code_asks_which_game_it_is():
    asking = re.compile(r"game\.key\s*(==|!=|in\b)|[\"'](bakappana|kaga|hachi-hachi)[\"']\s*==")
    asked = {
        f"{source.relative_to(ROOT)}: {line.strip()}"
        for source in [*PACKAGE.rglob("*.py"), *(ROOT / "templates").glob("*.html")]
        for line in source.read_text().splitlines()
        if asking.search(line)
    }
    assert not asked
