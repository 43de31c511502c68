"""The real server, started by its own command on a port and a folder of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scorekeeper.bootstrap import ROOT

PROC = Path("/proc")


@dataclass(frozen=True)
class Server:
    """A server that runs; what it takes is told where the system has `/proc`."""

    port: int
    pid: int

    @property
    def _processes(self) -> list[int]:
        """The process that was started and those that it started, which serve."""
        children = (PROC / f"{self.pid}/task/{self.pid}/children").read_text()
        return [self.pid, *map(int, children.split())]

    @property
    def memory(self) -> int:
        """Bytes of memory in use, shared ones counted once."""
        total = 0
        for pid in self._processes:
            rollup = (PROC / f"{pid}/smaps_rollup").read_text()
            found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
            assert found
            total += int(found[1]) * 1024
        return total

    @property
    def busy(self) -> float:
        """Seconds of processor time taken so far."""
        ticks = 0
        for pid in self._processes:
            # The name of the program, in brackets, may hold anything.
            fields = (PROC / f"{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Server]:
    """Runs a server for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as data:
        words = ["-m", "scorekeeper", "--host", "127.0.0.1", "--port", "0", "--data", data]
        with subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout
                port = re.search(r"localhost:(\d+)/", process.stdout.readline())
                if port is None:
                    raise SystemExit("The server did not start.")
                yield Server(int(port[1]), process.pid)
            finally:
                process.terminate()
