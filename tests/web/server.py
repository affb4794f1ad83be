"""The list as its users have it: `beff serve` in a process of its own."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

_STOP_S = 30


@dataclass
class Server:
    """A running server and its address."""

    process: subprocess.Popen[str]
    url: str


@contextmanager
def running(database: str, *options: str) -> Iterator[Server]:
    """Start `beff serve` on a free port of this machine, and stop it at the end."""
    with _free_port() as port:
        command = [sys.executable, "-m", "beff", "serve", "--database", database]
        process = subprocess.Popen(
            [*command, "--port", str(port), *options],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            pytest.fail(f"the server did not start: {line!r}")
        _wait_until_it_answers(port)
        yield Server(process, found[0].rstrip("/"))
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _free_port() -> Iterator[int]:
    """Below those that the system gives to whoever asks for any, as MPI's listeners do."""
    with socket.socket() as probe:
        while True:
            try:
                probe.bind(("127.0.0.1", 20_000 + secrets.randbelow(12_000)))
            except OSError:
                continue
            break
        yield probe.getsockname()[1]


def _wait_until_it_answers(port: int) -> None:
    until = time.monotonic() + 240
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server does not listen")
