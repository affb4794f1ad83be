#!/usr/bin/env python3
"""How long the list takes: a store of many made-up entries, asked on this machine alone.

Usage: bench/list_load.py [--systems N] [--results N] [--requests N] [--database URL]

Makes the store (the database must be empty), starts `beff serve` on a free loopback port, asks for
pages one after the other, prints median and 95th percentile in ms and the server's peak memory.
"""

import argparse
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.request import urlopen

from sqlalchemy import insert

from beff.store.audit import COMMAND_LINE, note
from beff.store.database import Store, open_store
from beff.store.tables import Entry, ResultFile, System, now

_ADDRESSES = {
    "list, default weights": "/",
    "list, new weights each time": "/?w_b_eff={0}&w_io=2&w_latency=1",
    "list, all weights, new each time": "/?w_b_eff={0}&w_per_process=1&w_at_lmax=1&w_latency=1"
    "&w_io=1&w_rmax=1&w_balance=1&w_exchange=1",
    "a filter": "/?processes_from={1}",
    "a system": "/systems/{1}",
    "standings for the browser": "/api/v1/standings",
}
_WAIT_S = 120


def fill(store: Store, systems: int, results: int) -> None:
    """Store made-up systems and entries, each with a file of 20 kB."""
    chance = random.Random(1)
    file = chance.randbytes(20_000)
    start = datetime(2020, 1, 1, tzinfo=timezone.utc)
    with store.write() as session:
        session.execute(
            insert(System),
            [
                {"name": f"System {n}", "site": "Made up", "rmax_gflops": chance.uniform(10, 1e6)}
                for n in range(systems)
            ],
        )
        session.execute(
            insert(Entry), [_entry(n, n % systems + 1, chance, start) for n in range(results)]
        )
        note(session, COMMAND_LINE, "add", f"{results} made-up entries")
    for first in range(1, results + 1, 500):
        with store.write() as session:
            session.execute(
                insert(ResultFile),
                [
                    {"entry_id": n, "size_bytes": 1_000_000, "compressed": file}
                    for n in range(first, min(first + 500, results + 1))
                ],
            )


def _entry(number: int, system: int, chance: random.Random, start: datetime) -> dict[str, object]:
    processes = 2 ** chance.randint(1, 14)
    value = processes * chance.uniform(50, 2000)
    is_io = number % 4 == 3
    return {
        "id": number + 1,
        "system_id": system,
        "benchmark": "b_eff_io" if is_io else "b_eff",
        "definition": "1" if is_io else "3.5",
        "status": "valid",
        "cautions": 0,
        "sha256": f"{number:064x}",
        "measurement": f"{number:064x}",
        "measured_at": start + timedelta(hours=number),
        "year": 2020,
        "added_at": now(),
        "published": True,
        "processes": processes,
        "nodes": 1 + processes // 64,
        "memory_per_process_bytes": 1 << 30,
        "b_eff_MBps": None if is_io else value,
        "b_eff_per_process_MBps": None if is_io else value / processes,
        "at_lmax_MBps": None if is_io else 3 * value,
        "latency_us": None if is_io else chance.uniform(0.5, 20),
        "total_memory_exchange_s": None if is_io else chance.uniform(1, 20),
        "io_value_MBps": value / 20 if is_io else None,
        "io_value_1_MBps": value / 20 if is_io else None,
    }


@contextmanager
def served(database: str) -> Iterator[tuple[int, str]]:
    """Run the list; gives the server's process number and address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "beff", "serve", "--database", database, "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + _WAIT_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                break
            except OSError:
                if time.monotonic() > until or process.poll() is not None:
                    sys.exit("the server did not start")
                time.sleep(0.1)
        yield process.pid, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(_WAIT_S)


def peak_memory_mib(process: int) -> float:
    """Return the largest resident memory of a process so far."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def ask(address: str) -> float:
    """Return how long an answer takes, in ms."""
    start = time.perf_counter()
    with urlopen(address, timeout=_WAIT_S) as answer:
        answer.read()
    return 1e3 * (time.perf_counter() - start)


def measure(database: str, systems: int, results: int, requests: int) -> None:
    """Fill, serve, ask, print."""
    with open_store(database) as store:
        fill(store, systems, results)
    with served(database) as (process, address):
        print(f"{results} results of {systems} systems, {requests} requests each; ms")
        for name, path in _ADDRESSES.items():
            ask(address + path.format(1, 1))
            times = [
                ask(address + path.format(1 + n / requests, 1 + n % systems))
                for n in range(requests)
            ]
            high = statistics.quantiles(times, n=20)[-1]
            print(f"  {name:34} median {statistics.median(times):7.1f}   95 % {high:7.1f}")
        print(f"  peak memory of the server {peak_memory_mib(process):.0f} MiB")


def main() -> None:
    """Read the options and measure in a temporary store, or in the one that was named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--results", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=30)
    parser.add_argument("--database", help="an empty database; a temporary SQLite file if absent")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="beff-list-") as folder:
        database = given.database or str(Path(folder) / "list.sqlite3")
        measure(database, given.systems, given.results, given.requests)


if __name__ == "__main__":
    main()
