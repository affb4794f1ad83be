"""What the diagrams of b_eff_io need of a result, found once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import rate
from beff.model.samples import FileSample, file_samples


@dataclass(frozen=True)
class IoSubject:
    """A result of b_eff_io; samples are by the index of the partition."""

    label: str
    result: BEffIoFigures
    samples: Mapping[int, Sequence[FileSample]]

    @property
    def best(self) -> int | None:
        """The partition that gives the value; without one, that with most samples."""
        processes = self.result.summary.processes
        measured = {
            partition: sum(sample.bandwidth_MBps is not None for sample in samples)
            for partition, samples in self.samples.items()
        }
        with_data = [partition for partition, count in measured.items() if count]

        def rank(partition: int) -> tuple[bool, int]:
            chosen = self.result.partitions[partition].processes == processes
            return chosen, measured[partition]

        return max(with_data, key=rank, default=None)

    def averages(self, partition: int) -> str:
        """Write the averages of the access methods."""
        access = self.result.partitions[partition].access
        known = [name for name in ACCESSES if access.get(name) is not None]
        if not known:
            return "No access method was measured with all types."
        return f"Averages: {', '.join(f'{name} {rate(access[name])}' for name in known)}."


def io_subject(label: str, result: BEffIoFigures) -> IoSubject:
    """Gather what diagrams need of a result."""
    samples: dict[int, list[FileSample]] = {p: [] for p in range(len(result.partitions))}
    for sample in file_samples(result):
        samples[sample.key.partition].append(sample)
    return IoSubject(label, result, samples)
