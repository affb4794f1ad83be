"""What other programs print of a made-up machine, pair by pair, in the shape of their outputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from beff.judge.finding import Checked, with_hosts
from beff.judge.hosts import findings_of
from beff.maps.judge_pairs import judge_pairs
from support.machines.machine import Machine
from support.machines.measure import BYTES, map_of, measured_alone

MIB = 2**20
LONG = BYTES["large"]


@dataclass(frozen=True)
class Pair:
    """Two hosts and what they took, in ns: both ways at once, and a long message each way."""

    first: str
    second: str
    small: float
    large: float
    there: float
    back: float


def pairs_of(machine: Machine, seed: int) -> list[Pair]:
    """Return a single measurement of each pair."""
    first, second = (ends.astype(np.int64) for ends in np.triu_indices(machine.units, 1))
    took = measured_alone(machine, seed, first, second)
    rows = zip(
        first, second, *(took[way] for way in ("small", "large", "there", "back")), strict=True
    )
    return [Pair(f"n{row[0]}", f"n{row[1]}", *map(float, row[2:])) for row in rows]


def by_our_own_map(machine: Machine, seed: int) -> Checked:
    """Return what is said of the machine by a map of b_pairs."""
    pairs = map_of(machine, seed)
    return with_hosts(findings_of(pairs, judge_pairs(pairs)))


Files = dict[str, str]


def pairs_csv(pairs: list[Pair]) -> Files:
    rows = [(p.first, p.second, size, ns / 1e9) for p in pairs for size, ns in _sizes(p)]
    lines = [f"{one},{other},{size},{s:.6e},2026-11-01T10:00:00Z" for one, other, size, s in rows]
    return {"pairs.csv": "\n".join(["from,to,bytes,seconds,when", *lines, ""])}


def rates_csv(pairs: list[Pair]) -> Files:
    """Bandwidths in both directions, with rounds."""
    lines = [
        f"{one},{other},{LONG},{LONG / ns * 1e3:.3f},{number // 2}"
        for number, (one, other, ns) in enumerate(_ways(pairs))
    ]
    return {"pairs.csv": "\n".join(["from,to,bytes,MBps,round", *lines, ""])}


def nccl_tests(pairs: list[Pair]) -> Files:
    return {f"{number}.log": _nccl(pair) for number, pair in enumerate(pairs)}


def _nccl(pair: Pair) -> str:
    rows = [
        f"{size:12}  {size // 4:12}     float    none      -1  {ns / 1e3:7.2f}  {size / ns:6.2f}"
        f"  {size / ns:6.2f}      0  {ns / 1e3:7.2f}  {size / ns:6.2f}  {size / ns:6.2f}    N/A"
        for size, ns in _sizes(pair)
    ]
    ranks = [
        f"#  Rank {rank:2} Group  0 Pid {100 + rank:6} on {host:>10} device  0 [0000:31:00] GPU"
        for rank, host in enumerate((pair.first, pair.second))
    ]
    return "\n".join(
        [
            "# Collective test starting: sendrecv_perf",
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 1",
            "#",
            "# Using devices",
            *ranks,
            "#",
            "#                                              out-of-place           in-place",
            "#       size         count      type   redop    root     time   algbw   busbw"
            " #wrong     time   algbw   busbw #wrong",
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)"
            "            (us)  (GB/s)  (GB/s)",
            *rows,
            "# Out of bounds values : 0 OK",
            "",
        ]
    )


def osu_latency(pairs: list[Pair]) -> Files:
    """One log with marks."""
    parts = []
    for pair in pairs:
        rows = [f"{size:<10}{ns / 1e3:>20.2f}" for size, ns in _sizes(pair)]
        head = [f"# pair {pair.first} {pair.second}", "# OSU MPI Latency Test v7.4"]
        parts += [*head, "# Datatype: MPI_CHAR.", "# Size          Latency (us)", *rows]
    return {"all.txt": "\n".join([*parts, ""])}


def osu_bw(pairs: list[Pair]) -> Files:
    head = "# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n"
    return {
        f"{one}_to_{other}.log": f"{head}{LONG:<10}{LONG / ns * 1e3:>20.2f}\n"
        for one, other, ns in _ways(pairs)
    }


def osu_mbw_mr(pairs: list[Pair]) -> Files:
    head = (
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
        "# [ pairs: 1 ] [ window size: 64 ]\n# Size                  MB/s        Messages/s\n"
    )
    return {
        f"{p.first}_to_{p.second}.log": f"{head}{LONG:<10}{LONG / p.there * 1e3:>18.2f}"
        f"{1e9 / p.there:>18.2f}\n"
        for p in pairs
    }


def imb(pairs: list[Pair]) -> Files:
    head = (
        "#---------------------------------------------------\n# Benchmarking PingPong\n"
        "# #processes = 2\n#---------------------------------------------------\n"
        "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    )
    return {
        f"{p.first}__{p.second}.out": head
        + "".join(
            f"{size:13}{1000:13}{ns / 1e3:13.2f}{size / ns * 1e3:13.2f}\n" for size, ns in _sizes(p)
        )
        + "\n# All processes entering MPI_Finalize\n"
        for p in pairs
    }


def ib_write_bw(pairs: list[Pair]) -> Files:
    line = "-" * 87
    head = (
        f"{line}\n                    RDMA_Write BW Test\n Dual-port       : OFF\n{line}\n"
        " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n"
    )
    return {
        f"{one}_to_{other}.log": f"{head} {LONG:<7}    5000       {LONG / ns * 1e9 / MIB:<10.2f}"
        f"         {LONG / ns * 1e9 / MIB:<10.2f}\t\t     {1e3 / ns:.6f}\n{line}\n"
        for one, other, ns in _ways(pairs)
    }


def iperf3(pairs: list[Pair]) -> Files:
    return {f"{one}_to_{other}.json": _iperf3(one, other, ns) for one, other, ns in _ways(pairs)}


def _iperf3(one: str, other: str, ns: float) -> str:
    rate = {
        "start": 0,
        "end": 10.0,
        "seconds": 10.0,
        "bytes": 1,
        "bits_per_second": LONG / ns * 8e9,
    }
    connected = {"socket": 5, "local_host": one, "local_port": 1, "remote_host": other}
    start = {
        "connected": [connected],
        "version": "iperf 3.16",
        "timestamp": {"time": "Sun, 01 Nov 2026 10:00:00 GMT", "timesecs": 1793527200},
        "test_start": {"protocol": "TCP", "num_streams": 1, "blksize": LONG, "reverse": 0},
    }
    end = {"streams": [], "sum_sent": rate, "sum_received": rate}
    return json.dumps({"start": start, "intervals": [], "end": end}, indent=1)


def mpigraph(pairs: list[Pair]) -> Files:
    hosts = _hosts(pairs)
    took = {(one, other): ns for one, other, ns in _ways(pairs)}
    heads = [f"{host}:{rank}" for rank, host in enumerate(hosts)]
    lines = ["START mpiGraph v1.5", f"MsgSize\t{LONG}", "Times\t100", "Window\t50", "Procs\t2", ""]
    for title, word in (("Send", "to"), ("Recv", "from")):
        lines += ["", f"{title}\t" + "".join(f"{head}\t" for head in heads)]
        for host, head in zip(hosts, heads, strict=True):
            ends = [(host, other) if word == "to" else (other, host) for other in hosts]
            cells = [LONG / took[end] * 1e9 / MIB if end in took else 0.0 for end in ends]
            lines.append(f"{head} {word}\t" + "".join(f"{cell:0.3f}\t" for cell in cells))
    return {"mpigraph.out": "\n".join([*lines, "END mpiGraph", ""])}


def clusterkit(pairs: list[Pair]) -> Files:
    """Both matrices; wide numbers stand without a blank between them."""
    hosts = _hosts(pairs)
    found: Files = {}
    for kind in ("bandwidth", "latency"):
        cells = {
            frozenset((p.first, p.second)): f"{LONG / p.large * 1e3:.1f}"
            if kind == "bandwidth"
            else f"{p.small / 1e3:.2f}"
            for p in pairs
        }
        rows = ["Rank:" + "".join(f"{rank:>10}" for rank in range(len(hosts)))]
        zero = "0.0" if kind == "bandwidth" else "0.00"
        for rank, host in enumerate(hosts):
            row = "".join(f"{cells.get(frozenset((host, one)), zero):>6}" for one in hosts)
            rows.append(f"{rank:>4} ({host}): {row}")
        found[f"{kind}.txt"] = "\n".join([*rows, f"Minimum {kind}: 1", ""])
    return found


FORMATS: dict[str, Callable[[list[Pair]], Files]] = {
    one.__name__: one
    for one in (
        pairs_csv,
        rates_csv,
        nccl_tests,
        osu_latency,
        osu_bw,
        osu_mbw_mr,
        imb,
        ib_write_bw,
        iperf3,
        mpigraph,
        clusterkit,
    )
}


def _sizes(pair: Pair) -> tuple[tuple[int, float], tuple[int, float]]:
    return (8, pair.small), (LONG, pair.large)


def _ways(pairs: list[Pair]) -> Iterator[tuple[str, str, float]]:
    for pair in pairs:
        yield pair.first, pair.second, pair.there
        yield pair.second, pair.first, pair.back


def _hosts(pairs: list[Pair]) -> list[str]:
    return list(dict.fromkeys(host for pair in pairs for host in (pair.first, pair.second)))
