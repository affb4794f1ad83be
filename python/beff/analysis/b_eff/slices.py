"""The value as it would be if only some samples counted: one method, or one repetition."""
# ruff: noqa: N815 - MBps as in the result file

from collections.abc import Iterable
from dataclasses import dataclass, replace

from beff.analysis.b_eff.averages import GroupAverages, Measured, bandwidths, figures_of
from beff.analysis.b_eff.definition import OFFICIAL_METHODS
from beff.model.result_parts import Figure


@dataclass(frozen=True)
class Slice:
    """`value` by groups, `at_lmax_MBps` over both, in MB/s.

    `best_in` says for how many patterns and sizes the slice holds the best sample.
    """

    name: str
    value: GroupAverages
    at_lmax_MBps: Figure
    best_in: int


def by_method(measured: Measured) -> list[Slice]:
    """Return one slice per method, the additional ones included."""
    samples = measured.samples
    holders = _holders(measured, range(len(samples)))
    slices = []
    for index, name in enumerate(measured.methods):
        chosen = [i for i, method in enumerate(samples.method) if method == index]
        slices.append(_slice(name, _with_one_method(measured, chosen), holders, chosen))
    return slices


def by_repetition(measured: Measured) -> list[Slice]:
    """Return one slice per repetition; the official methods alone count."""
    samples = measured.samples
    official = [i for i, m in enumerate(samples.method) if measured.methods[m] in OFFICIAL_METHODS]
    holders = _holders(measured, official)
    slices = []
    for repetition in sorted(set(samples.repetition)):
        chosen = [i for i in official if samples.repetition[i] == repetition]
        part = replace(measured, samples=samples.chosen(chosen))
        slices.append(_slice(f"repetition {repetition + 1}", part, holders, chosen))
    return slices


def _slice(name: str, part: Measured, holders: set[int], chosen: list[int]) -> Slice:
    figures = figures_of(part)
    best_in = len(holders.intersection(chosen))
    return Slice(name, figures.b_eff, figures.at_lmax.both, best_in)


def _with_one_method(measured: Measured, chosen: list[int]) -> Measured:
    """Return the samples of one method as if it were an official one, which it need not be."""
    samples = measured.samples.chosen(chosen)
    first = samples.model_copy(update={"method": [0] * len(samples)})
    return replace(measured, methods=[OFFICIAL_METHODS[0]], samples=first)


def _holders(measured: Measured, indices: Iterable[int]) -> set[int]:
    """Return the indices of the samples that are the first best of their pattern and size."""
    counted = list(indices)
    part = replace(measured, samples=measured.samples.chosen(counted))
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for index, (pattern, _, size, value) in zip(counted, bandwidths(part), strict=True):
        key = (pattern, size)
        if key not in best or value > best[key][0]:
            best[key] = (value, index)
    return {index for _, index in best.values()}
