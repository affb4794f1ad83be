"""The limits of the rule, and what is said of one host and of several.

docs/explanation/limits.md has the same figures.
"""
# ruff: noqa: N803 - MBps as in the result file

from beff.model.numbers import percent, rate

REACHED = 0.75
"""A roof is reached from this share of it on."""
EXCEEDED = 1.25
"""What is exceeded by more is no roof."""
NEARER = 1.1
"""A slow host is what limits when it is so much nearer to its rate than the others to theirs."""
SHARED_UPLINK_POWER = 0.5
"""A group shares an uplink where the time of a round grows with what crosses to this power."""
CROSSING_RATIO = 1.2
"""Rounds show that growth only if so many times as much crosses in one as in another."""
FAR_BELOW_RINGS = 0.6
"""Where random rings reach less than this share of what rings reach, links between limit."""
ALONE = 1.25
"""A pair of hosts that is so much faster alone shows that ports are faster than what left them."""
CROWDED_BELOW = 0.25
"""Processes of a host that reach less than this share of a ping-pong share what limits them."""
COPIES_PER_MESSAGE = 2
"""Through shared memory: into it and out of it. Some libraries need one."""


def copies_sentence(own_MBps: float, copy_MBps: float) -> str:
    """Say that copies limit what a process sends."""
    share = percent(own_MBps / copy_MBps)
    return (
        f"memory copies: {rate(own_MBps)} of messages of each process, {share} of"
        f" {rate(copy_MBps)} that it copies"
    )
