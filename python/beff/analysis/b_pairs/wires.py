"""Which wire carried the messages, by the counters of the ports of each host."""

from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.pairs.pair_map import Floats, numbers_of
from beff.model.b_pairs_result import Wires

FASTER = {"rdma": 2, "ethernet": 1, "loopback": 0}
SEEN = 0.5
"""A part of the payload is carried by a port that counted at least this share of it."""
CARRIES = 0.1
"""A port is in use by a host when it carried at least this share of what left the host."""
MOST_ELSE = 0.02
"""What counts less beside the payload is housekeeping: launchers, files, acknowledgements."""


@dataclass(frozen=True)
class Carried:
    """What each host sent by each port, in byte; one row for each port, NaN where it lacks it."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    active: Floats
    sent: Floats
    errors: Floats
    payload: Floats
    inside: Floats

    @property
    def shares(self) -> Floats:
        """Share of each port in what left each host; NaN where nothing did."""
        outside = np.where(np.array([kind != "loopback" for kind in self.kinds])[:, None], 1, 0)
        sent = np.nan_to_num(self.sent) * outside
        with np.errstate(invalid="ignore"):
            shares: Floats = sent / sent.sum(axis=0)
        return shares

    @property
    def main(self) -> Ints:
        """The port that carried most of each host; -1 where its ports counted too little."""
        sent = np.where(np.isnan(self.shares), 0.0, np.nan_to_num(self.sent))
        sent[np.array([kind == "loopback" for kind in self.kinds])] = 0
        seen = (self.payload > 0) & (sent.sum(axis=0) >= SEEN * self.payload)
        return np.where(seen, sent.argmax(axis=0), -1)


def carried(wires: Wires) -> Carried | None:
    """Return what was counted; None without a port."""
    if not wires.ports:
        return None

    def column(text: str) -> Floats:
        return numbers_of([[text]])

    return Carried(
        tuple(port.name for port in wires.ports),
        tuple(port.kind for port in wires.ports),
        np.array([column(port.active) for port in wires.ports]),
        np.array([column(port.sent_bytes) for port in wires.ports]),
        np.array([column(port.errors) for port in wires.ports]),
        column(wires.payload_bytes),
        column(wires.inside_bytes),
    )


def wires_text(found: Carried) -> str:
    """Say what carried the messages of all hosts together."""
    payload, inside = float(found.payload.sum()), float(found.inside.sum())
    totals = np.nansum(found.sent, axis=1)
    loops = [kind == "loopback" for kind in found.kinds]
    if payload == 0:
        by_loop = float(totals[loops].sum())
        if inside > 0 and by_loop >= SEEN * inside:
            return f"{_bytes(by_loop)} went through lo, though all is on one host: TCP"
        return "nothing left the host: shared memory"
    left = float(totals[~np.array(loops)].sum())
    if left < SEEN * payload:
        return (
            f"of {_bytes(payload)} the ports counted {_bytes(left)}: what carried it is not known"
        )
    parts = [
        f"{total / left:.0%} left by {name}"
        for name, total, loop in sorted(
            zip(found.names, totals, loops, strict=True), key=lambda part: -part[1]
        )
        if not loop and total >= MOST_ELSE * left
    ]
    return ", ".join(parts)


def slower_wire(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts whose messages left by another kind of port than an active faster one."""
    told = []
    for host, port in enumerate(found.main.tolist()):
        if port < 0:
            continue
        faster = [
            name
            for name, kind, active in zip(
                found.names, found.kinds, found.active[:, host], strict=True
            )
            if FASTER[kind] > FASTER[found.kinds[port]] and active == 1
        ]
        if faster:
            sent = _bytes(float(found.sent[port, host]))
            told.append(
                (host, f"{sent} left by {found.names[port]} although {faster[0]} is active")
            )
    return told


def other_wire(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts that do not use the port that more than half of all use, but have it.

    Of several such ports (rails) it is the one that carried most.
    """
    main = found.main
    known = main >= 0
    shares = np.where(known, np.nan_to_num(found.shares), 0.0)
    in_use = shares >= CARRIES
    often = 2 * in_use.sum(axis=1) > known.sum()
    if not often.any():
        return []
    usual = int(np.where(often, shares.sum(axis=1), -1.0).argmax())
    others = known & ~in_use[usual] & ~np.isnan(found.sent[usual])
    return [
        (
            host,
            f"its messages left by {found.names[main[host]]}, those of most hosts by"
            f" {found.names[usual]}",
        )
        for host in np.flatnonzero(others).tolist()
        if FASTER[found.kinds[main[host]]] <= FASTER[found.kinds[usual]]
    ]


def errors_of(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts of which ports counted errors during the run."""
    return [
        (host, f"{int(errors)} errors at {found.names[port]}")
        for port, row in enumerate(found.errors)
        for host, errors in enumerate(row.tolist())
        if errors > 0
    ]


def _bytes(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} byte"
