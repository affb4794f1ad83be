"""What the stand-ins for b_eff and b_eff_io do. Models, slow to import, are for few calls."""

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[3] / "data"
_REFUSALS = {
    "usage": (2, "--memory-per-process 0: must be more than 0 byte"),
    "fails": (1, "something broke"),
    "no_mpi": (127, "error while loading shared libraries: libmpi.so.12: cannot open"),
}
_SLOW = ("slow", "deaf", "stuck", "woken")


def main(benchmark: str, arguments: list[str]) -> int:
    """Behave as FAKE_ENGINE, or FAKE_IO_ENGINE, says: good, short, stopped, fails, no_mpi, usage,
    silent, damaged, wrong, unheard, slow, deaf, stuck or woken."""
    is_io = benchmark == "b_eff_io"
    behaviour = os.environ.get("FAKE_IO_ENGINE" if is_io else "FAKE_ENGINE", "good")
    if behaviour in _REFUSALS:
        code, message = _REFUSALS[behaviour]
        print(f"{benchmark}: {message}", file=sys.stderr)
        return code
    if "--probe" in arguments:
        print(json.dumps(probe_fields(_processes())))
        return 0
    prefix = benchmark
    if "--output" in arguments:
        prefix = arguments[arguments.index("--output") + 1]
    told = arguments if is_io else [*arguments, os.environ.get("BEFF_LAUNCH_COMMAND")]
    Path(f"{prefix}.arguments").write_text(json.dumps(told), encoding="utf-8")
    if behaviour == "silent":
        return 0
    journal, fields = _stored(behaviour) if is_io else _made(behaviour)
    if behaviour in _SLOW:
        measured = _measure_slowly(prefix, behaviour, journal, waits=is_io)
        if behaviour in ("deaf", "stuck"):
            return 3
        fields = fields if is_io else _short_result(measured - 1)
    else:
        Path(f"{prefix}.journal.jsonl").write_text("\n".join(journal) + "\n", encoding="utf-8")
        if not is_io:
            print("other words", os.environ.get("FAKE_SAYS", ""), sep="\n", file=sys.stderr)
    if behaviour == "wrong":
        fields["summary"][f"{benchmark}_MBps"] *= 2
    text = json.dumps(fields)
    text = text[: len(text) // 2] if behaviour == "damaged" else text
    Path(f"{prefix}.json").write_text(text, encoding="utf-8")
    return 3 if is_io else {"good": 0, "unheard": 1}.get(behaviour, 3)


def _stored(behaviour: str) -> tuple[list[str], dict[str, Any]]:
    """Return what the real b_eff_io wrote at tiny size: journal and result."""
    journal = (DATA / "b_eff_io_stopped.journal.jsonl").read_text(encoding="utf-8").splitlines()
    name = "stopped" if behaviour in ("stopped", "slow") else "short"
    return journal, json.loads((DATA / f"b_eff_io_{name}.json").read_text(encoding="utf-8"))


def _made(behaviour: str) -> tuple[list[str], dict[str, Any]]:
    """Return what b_eff writes on a model of a machine: journal and result."""
    from support.results import SHORT, Plan, journal_lines, make_result  # noqa: PLC0415

    plan = replace(SHORT, processes=_processes())
    if behaviour == "good":
        slower = "FAKE_ROUND_ROBIN" in os.environ and float(os.environ.get("FAKE_SLOWER", "1"))
        plan = Plan(processes=_processes(), hosts=_hosts(), slower=slower or 1.0)
    fields = make_result(plan)
    _renumber(fields["environment"])
    return journal_lines(plan, end=None if behaviour in _SLOW else "complete"), fields


def _short_result(measured: int) -> dict[str, Any]:
    """Return that of b_eff with so many loops."""
    from support.results import SHORT, make_result  # noqa: PLC0415

    return make_result(replace(SHORT, processes=_processes(), measured=measured))


def _measure_slowly(prefix: str, behaviour: str, lines: Sequence[str], *, waits: bool) -> int:
    """Write the journal loop by loop until a signal comes; return how many lines.

    One that gets stuck writes six, and waits for a signal, or the end of its launcher.
    """
    stopped: list[int] = []
    is_stuck, launcher, done = behaviour in ("stuck", "woken"), os.getppid(), 0
    heard = {"stuck": (), "woken": (signal.SIGTERM,)}.get(
        behaviour, (signal.SIGINT, signal.SIGTERM)
    )
    for number in heard:
        signal.signal(number, lambda received, _frame: stopped.append(received))
    with Path(f"{prefix}.journal.jsonl").open("w", encoding="utf-8") as journal:
        for line in lines[: 6 if is_stuck else None]:
            if stopped:
                break
            journal.write(f"{line}\n")
            journal.flush()
            done += 1
            time.sleep(float(os.environ.get("FAKE_PAUSE_S", "0.02")))
    while (is_stuck or waits) and not stopped and os.getppid() == launcher:
        time.sleep(0.02)
    return done


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


def _processes() -> int:
    return int(os.environ.get("FAKE_PROCESSES", "1"))


def _hosts() -> tuple[int, ...]:
    """Processes of each node by FAKE_NODES; behind a semicolon those of round-robin."""
    counts = os.environ.get("FAKE_NODES", "").split(";")
    chosen = counts[-1] if "FAKE_ROUND_ROBIN" in os.environ else counts[0]
    return tuple(map(int, chosen.split(","))) if chosen else ()


def probe_fields(processes: int) -> dict[str, Any]:
    """What b_eff tells of its surroundings without measuring."""
    from support.results import SHORT, make_result  # noqa: PLC0415

    missed = []
    if processes == 3:
        missed = [{"code": "build", "required": None, "found": None, "unit": "count", "met": False}]
    plan = replace(SHORT, processes=processes, measured=0)
    return {
        "environment": make_result(plan)["environment"],
        "cautions": [{"code": "a caution from the probe", "facts": {}}],
        "would_not_be_valid": missed,
    }
