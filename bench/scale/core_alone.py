"""The core without MPI: plans, results and their texts, retests, crowded cores; a process for each.

Needs the module of the tests, of `make build/openmpi/.built`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from scale.table import ROOT, Row, cost_of

PROCESSES = (1_000, 10_000, 100_000, 1_000_000)
HOSTS = (100, 1_000, 10_000, 100_000)
BOUND = (128, 256, 512, 1024)
CORES = 128


def core() -> Any:
    """Return the module of the tests."""
    sys.path.insert(0, str(ROOT / "build" / "openmpi" / "tests" / "core" / "binding"))
    import beff_core_testing  # noqa: PLC0415 - found by the line above

    return beff_core_testing


class Alike:
    """Answers b_pairs with times that differ a little; notes how long retests were chosen."""

    def __init__(self) -> None:
        self.round_ended = 0.0
        self.choice_s: float | None = None

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int, int]]:
        """Answer a round, or a retest, which is of one pair."""
        if len(pairs) == 1 and self.choice_s is None:
            self.choice_s = time.monotonic() - self.round_ended
        found = [(1000 + (a * 31 + b) % 97, 90_000 + (a * 17 + b) % 997) for a, b in pairs]
        if pairs and pairs[0][0] == 0:  # a slow host, so that something is measured again
            found[0] = (3000, 300_000)
        self.round_ended = time.monotonic()
        return found

    def stops(self) -> bool:
        """Whether the run is to end."""
        return False


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.monotonic()
    found = work()
    return time.monotonic() - begin, found


def _plan(processes: int) -> dict[str, float]:
    seconds, _ = _timed(lambda: core().scripted_benchmark(processes))
    return {"seconds": seconds}


def _b_eff(processes: int) -> Any:
    core()
    sys.path.insert(0, str(ROOT / "tests"))
    from scripted_machine import Machine  # noqa: PLC0415 - needs the module

    benchmark = core().scripted_benchmark(processes)
    benchmark.measure(Machine(benchmark))
    return benchmark


def _size_of(made: tuple[float, str]) -> dict[str, float]:
    seconds, text = made
    return {"seconds": seconds, "size_bytes": len(text)}


def _b_eff_result(processes: int) -> dict[str, float]:
    return _size_of(_timed(_b_eff(processes).result_json))


def _b_eff_protocol(processes: int) -> dict[str, float]:
    return _size_of(_timed(_b_eff(processes).protocol))


def _crowded(processes: int) -> dict[str, float]:
    bound = [
        {(first * 7 + k * (1 + first % 3)) % CORES for k in range(CORES // 2)}
        for first in range(processes)
    ]
    module = core()
    seconds = min(_timed(lambda: module.crowded_sets(bound))[0] for _ in range(5))
    return {"seconds": seconds}


def _pairs(hosts: int) -> tuple[Any, Alike]:
    script = Alike()
    run = core().pairs.scripted_run(processes=hosts, hosts=hosts, seed=1, duration=1e-3)
    run.measure(script)
    return run, script


def _retests(hosts: int) -> dict[str, float]:
    _, script = _pairs(hosts)
    return {"seconds": script.choice_s or 0.0}


def _pairs_result(hosts: int) -> dict[str, float]:
    run, _ = _pairs(hosts)
    return _size_of(_timed(run.result_json))


def _pairs_protocol(hosts: int) -> dict[str, float]:
    run, _ = _pairs(hosts)
    return _size_of(_timed(run.protocol))


CASES: dict[str, tuple[Callable[[int], dict[str, float]], tuple[int, ...]]] = {
    "plan of b_eff, processes": (_plan, PROCESSES),
    "result of b_eff, processes": (_b_eff_result, PROCESSES),
    "protocol of b_eff, processes": (_b_eff_protocol, PROCESSES),
    f"crowded cores of a node, processes on {CORES} cores": (_crowded, BOUND),
    "choice of retests, hosts": (_retests, HOSTS),
    "result of b_pairs, hosts": (_pairs_result, HOSTS),
    "protocol of b_pairs, hosts": (_pairs_protocol, HOSTS),
}


def rows(largest: int) -> Iterator[Row]:
    """Yield the rows of all sizes that are not larger."""
    for what, (_, sizes) in CASES.items():
        for size in sizes:
            if size <= largest:
                cost = cost_of(
                    [sys.executable, "-m", "scale.core_alone", what, f"{size}"], ROOT / "bench"
                )
                yield Row(what, size, mib=cost.mib, **json.loads(cost.printed))


if __name__ == "__main__":
    print(json.dumps(CASES[sys.argv[1]][0](int(sys.argv[2]))))
