"""What the stand-in for the measuring program does. Models, slow to import, are for few calls."""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.results import Plan, journal_lines, make_result

_REFUSALS = {
    "usage": (2, "b_eff: --memory-per-process 0: must be more than 0 byte"),
    "fails": (1, "b_eff: something broke"),
    "no_mpi": (127, "b_eff: error while loading shared libraries: libmpi.so.12: cannot open"),
}
_SHORT = Plan(methods=("sendrecv",), repetitions=1)


def main(arguments: list[str]) -> int:
    """Behave as FAKE_ENGINE says: good, short, fails, no_mpi, usage, silent,
    damaged, wrong, unheard, slow, deaf, stuck or woken."""
    behaviour = os.environ.get("FAKE_ENGINE", "good")
    processes = int(os.environ.get("FAKE_PROCESSES", "1"))
    if behaviour in _REFUSALS:
        code, message = _REFUSALS[behaviour]
        print(message, file=sys.stderr)
        return code
    if "--probe" in arguments:
        print(json.dumps(probe_fields(processes)))
        return 0
    prefix = "b_eff"
    if "--output" in arguments:
        prefix = arguments[arguments.index("--output") + 1]
    log = Path(f"{prefix}.arguments")
    log.write_text(
        json.dumps([*arguments, os.environ.get("BEFF_LAUNCH_COMMAND")]), encoding="utf-8"
    )
    if behaviour in ("silent", "stuck", "woken"):
        is_woken = behaviour == "woken"
        return 0 if behaviour == "silent" else _get_stuck(prefix, processes, is_woken)
    if behaviour in ("slow", "deaf"):
        return _measure_slowly(prefix, processes, writes_result=behaviour == "slow")
    return _measure(prefix, processes, behaviour)


def _measure(prefix: str, processes: int, behaviour: str) -> int:
    print("other words", os.environ.get("FAKE_SAYS", ""), sep="\n", file=sys.stderr)
    plan = _short(processes)
    if behaviour == "good":
        slower = "FAKE_ROUND_ROBIN" in os.environ and float(os.environ.get("FAKE_SLOWER", "1"))
        plan = Plan(processes=processes, hosts=_hosts(), slower=slower or 1.0)
    Path(f"{prefix}.journal.jsonl").write_text(
        "\n".join(journal_lines(plan, end="complete")) + "\n", encoding="utf-8"
    )
    document = make_result(plan)
    _renumber(document["environment"])
    if behaviour == "wrong":
        document["summary"]["b_eff_MBps"] *= 2
    text = json.dumps(document)
    if behaviour == "damaged":
        text = text[: len(text) // 2]
    Path(f"{prefix}.json").write_text(text, encoding="utf-8")
    return {"good": 0, "unheard": 1}.get(behaviour, 3)


def _measure_slowly(prefix: str, processes: int, writes_result: bool) -> int:
    """Write the journal loop by loop until a signal comes, with pauses of FAKE_PAUSE_S."""
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _frame: stopped.append(received))
    plan = _short(processes)
    lines = journal_lines(plan)
    pause_s = float(os.environ.get("FAKE_PAUSE_S", "0.02"))
    done = 0
    with Path(f"{prefix}.journal.jsonl").open("w", encoding="utf-8") as journal:
        for line in lines:
            if stopped:
                break
            journal.write(line + "\n")
            journal.flush()
            done += 1
            time.sleep(pause_s)
    if writes_result:
        partial = Plan(**{**plan.__dict__, "measured": done - 1})
        Path(f"{prefix}.json").write_text(json.dumps(make_result(partial)), encoding="utf-8")
    return 3


def _get_stuck(prefix: str, processes: int, writes_result: bool) -> int:
    """Write the beginning of a journal, then nothing more, or a result when a signal comes."""
    stopped = []
    if writes_result:
        signal.signal(signal.SIGTERM, lambda received, _frame: stopped.append(received))
    plan = _short(processes)
    lines = journal_lines(plan)[:6]
    Path(f"{prefix}.journal.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    launcher = os.getppid()
    while not stopped and os.getppid() == launcher:
        time.sleep(0.05)
    if stopped:
        partial = Plan(**{**plan.__dict__, "measured": len(lines) - 1})
        Path(f"{prefix}.json").write_text(json.dumps(make_result(partial)), encoding="utf-8")
    return 3


def _renumber(environment: dict[str, Any]) -> None:
    """Deal ranks out to the nodes where the launcher was asked to, and obeys."""
    if "FAKE_ROUND_ROBIN" in os.environ and os.environ.get("FAKE_OBEYS", "yes") == "yes":
        from beff.result.bounds import expanded, runs_text  # noqa: PLC0415

        taken: dict[int, int] = {}
        turns = []
        for node in expanded(environment["placement"]):
            taken[node] = taken.get(node, 0) + 1
            turns.append((taken[node], node))
        environment["placement"] = runs_text([node for _, node in sorted(turns)])


def _hosts() -> tuple[int, ...]:
    """Processes of each node by FAKE_NODES; behind a semicolon those of round-robin."""
    counts = os.environ.get("FAKE_NODES", "").split(";")
    chosen = counts[-1] if "FAKE_ROUND_ROBIN" in os.environ else counts[0]
    return tuple(map(int, chosen.split(","))) if chosen else ()


def _short(processes: int) -> Plan:
    return Plan(**{**_SHORT.__dict__, "processes": processes})


def probe_fields(processes: int) -> dict[str, Any]:
    missed = []
    if processes == 3:
        missed = [{"code": "build", "required": None, "found": None, "unit": "count", "met": False}]
    return {
        "environment": make_result(replace(_short(processes), measured=0))["environment"],
        "cautions": [{"code": "a caution from the probe", "facts": {}}],
        "would_not_be_valid": missed,
    }
