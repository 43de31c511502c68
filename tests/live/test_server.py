"""The real server: as many threads as streams and more, and a quick end."""

import http.client
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.bootstrap import ROOT
from scorekeeper.live import STREAM_LIMIT

from .conftest import events


@pytest.fixture
def server(migrated: Path, folder: Path) -> Iterator[tuple[subprocess.Popen, int]]:
    shutil.copytree(migrated, folder)
    words = ["-m", "scorekeeper", "--host", "127.0.0.1", "--port", "0", "--data", str(folder)]
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            port = re.search(r"localhost:(\d+)/", process.stdout.readline())
            yield process, int(port[1])
        finally:
            process.kill()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux tells of other processes")
def test_may_open_as_many_connections_as_it_takes(server):
    process, port = server
    with connect(port) as asking:
        asking.request("GET", "/")
        asking.getresponse().read()
    (worker,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    # Two for each phone that listens, and many a system's 1,024 are not that.
    now, most = resource.prlimit(int(worker), resource.RLIMIT_NOFILE)
    assert now in (most, resource.RLIM_INFINITY) or now > 2 * STREAM_LIMIT


def connect(port: int) -> closing[http.client.HTTPConnection]:
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10))


@pytest.mark.parametrize("path", ["/j", "/api/v1/settle"])
@pytest.mark.parametrize(
    "chunks", ["zz\r\n{}\r\n", "-2\r\n{}\r\n", "2\r\n{}XX", "2\r\n{}\r\n0\r\nx\r\n"]
)
def test_a_body_without_its_length_is_not_even_read(server, path, chunks):
    _, port = server
    with connect(port) as asking:
        asking.putrequest("POST", path)
        asking.putheader("Transfer-Encoding", "chunked")
        asking.endheaders(chunks.encode())
        assert asking.getresponse().status == 411


def test_stops_at_once_and_ends_its_streams(server):
    process, port = server
    with connect(port) as asking:
        body = json.dumps({"game": "kaga", "players": ["Hana", "Ren"]})
        asking.request("POST", "/api/v1/series", body)
        series = json.load(asking.getresponse())

    with connect(port) as one, connect(port) as another:
        streams = []
        for connection in (one, another):
            bearer = {"Authorization": f"Bearer {series['secrets']['view']}"}
            connection.request("GET", events(series["id"]), headers=bearer)
            streams.append(connection.getresponse())
        for stream in streams:
            while stream.readline() != b"data: 1\n":
                pass
        process.send_signal(signal.SIGTERM)
        # To their end: one that is cut off raises an error, and so does one that does not end.
        assert [stream.read() for stream in streams] == [b"\n"] * 2
        assert process.wait(10) == 0
