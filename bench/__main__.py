"""Measures, and says on which machine.

    python3 -m bench              everything
    python3 -m bench live rules   these

Figures of a machine that does other work meanwhile are worth little: its load is printed too. The
database is SQLite unless DATABASE_URL names a PostgreSQL database, which should be an empty one.
"""

from __future__ import annotations

import os
import pkgutil
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from scorekeeper.bootstrap import enter_environment


def main(words: list[str]) -> int:
    """Runs the benches named, or all; returns 2 for one that there is not."""
    enter_environment(*(["scale"] if os.environ.get("DATABASE_URL") else []))
    modules = {
        module.name: import_module(f"bench.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
        if module.name != "__main__"
    }
    benches = {name: one for name, one in modules.items() if hasattr(one, "figures")}
    if unknown := set(words) - benches.keys():
        print(f"There is no bench {', '.join(sorted(unknown))}.", file=sys.stderr)
        print(f"There are: {', '.join(benches)}.", file=sys.stderr)
        return 2
    print(machine(), flush=True)
    for name in words or benches:
        first, *_ = (benches[name].__doc__ or name).splitlines()
        print(f"\n{first}", flush=True)
        for figure in benches[name].figures():
            print(figure, flush=True)
    print(f"\nLoad of the machine at the end: {load()}")
    return 0


def machine() -> str:
    """What the figures were measured on, and when."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return "\n".join(
        (
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            f"{processor()}, {cores} cores, {platform.system()} {platform.release()}",
            f"Python {platform.python_version()}",
            f"Load of the machine at the start: {load()}",
        )
    )


def processor() -> str:
    """The name of the processor, as well as the system knows it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def load() -> str:
    """How many processes wanted to run, on average of the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
