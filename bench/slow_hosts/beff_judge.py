"""Beff's judge on a table: the only file here that knows of beff."""

from __future__ import annotations

from typing import Any

import numpy as np
from support.machines.retests import pairs_to_retest

from beff.judge.finding import Verdict
from beff.judge.hosts import findings_of
from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap
from slow_hosts.machine import LONG_BYTES, SHORT_BYTES
from slow_hosts.truth import Said

SIZES = {"small": SHORT_BYTES, "large": LONG_BYTES}


def again(table: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """Return which pairs the program measures again."""
    short = table[table["bytes"] == SHORT_BYTES]
    times = {kind: table["seconds"][table["bytes"] == size] for kind, size in SIZES.items()}
    units = 1 + int(table["to"].max())
    return pairs_to_retest(units, short["from"].astype(int), short["to"].astype(int), times)


def map_of(
    table: np.ndarray[Any, Any], names: tuple[str, ...] = (), rounds: int | None = None
) -> PairMap:
    """Return the map that the program would have written; hosts are n0, n1 … without names.

    In `rounds` of a pass, of who meets all others without them.
    """
    hosts = 1 + int(table["to"].max())
    rounds = rounds or hosts - 1 + hosts % 2
    # of who is alone each way is measured too, first both at once
    alone_from = table["round"][table["ways"] == 1].min(initial=table["round"].max() + 2) - 1
    is_alone = table["round"] >= alone_from
    long = table["bytes"] == LONG_BYTES
    both, forth = table["ways"] == 2, table["from"] < table["to"]

    def logs(which: Any) -> Any:
        return np.log(table["seconds"][which] * 1e9)

    met, again_ = table[~is_alone & ~long], table[is_alone & ~long]
    return PairMap(
        unit="host",
        names=names or tuple(f"n{host}" for host in range(hosts)),
        bytes_of=SIZES,
        passes=met["round"].astype(int) // rounds,
        rounds=met["round"].astype(int) % rounds,
        first=met["from"].astype(int),
        second=met["to"].astype(int),
        times={"small": logs(~is_alone & ~long), "large": logs(~is_alone & long)},
        retest_first=again_["from"].astype(int),
        retest_second=again_["to"].astype(int),
        retests={
            "small": logs(is_alone & ~long),
            "large": logs(is_alone & long & both),
            "there": logs(is_alone & ~both & forth),
            "back": logs(is_alone & ~both & ~forth),
        },
    )


def said_of(pairs: PairMap, leaf: list[str] | None = None) -> Said:
    """Return what is said of the hosts by number; `leaf` are the switches above, where known."""
    return said_in(pairs, judgement_of(pairs, leaf))


def judgement_of(pairs: PairMap, leaf: list[str] | None = None) -> PairJudgement:
    """Return the judgement of a map, likewise."""
    return judge_pairs(pairs, None, leaf and [("top", one) for one in leaf])


def said_in(pairs: PairMap, found: PairJudgement) -> Said:
    """Return what a judgement says of the hosts by number."""
    verdicts = {one.verdict for one in findings_of(pairs, found)}
    is_bad, is_open = Verdict.BAD in verdicts, Verdict.UNKNOWN in verdicts
    number = {name: host for host, name in enumerate(pairs.names)}
    slow = [one for one in found.links if one.status == Status.SLOW]
    return Said(
        hosts={number[one.name] for one in found.units if one.status == Status.SLOW},
        suspects={number[one.name] for one in found.units if one.status == Status.SUSPECT},
        links={frozenset({number[one.first], number[one.second]}) for one in slow},
        swapped={number[one.name] for one in found.misplaced},
        verdict="bad" if is_bad else "open" if is_open else "good",
        unseen_below=_limit(found),
    )


def _limit(found: PairJudgement) -> float:
    return found.seen.limit if found.seen else float("inf")
