"""Sentences that are said of one host and of several."""
# ruff: noqa: N803 - MBps as in the result file

from beff.model.numbers import percent, rate


def copies_sentence(own_MBps: float, copy_MBps: float) -> str:
    """Say that copies limit what a process sends."""
    share = percent(own_MBps / copy_MBps)
    return (
        f"memory copies: {rate(own_MBps)} of messages of each process, {share} of"
        f" {rate(copy_MBps)} that it copies"
    )
