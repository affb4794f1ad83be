"""Every byte of the files of a run stands where the definition puts it, found without MPI.

The reader below is a second implementation of the layout and of the content, of their own text:
docs of `Placement` and `Content`.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engines.b_eff_io.io_support import io_measured, io_result, run_folders, tight
from engines.support import MPICH, OPENMPI, Library

pytestmark = pytest.mark.thorough

Words = npt.NDArray[np.uint64]
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
FILES = {0: "scatter", 1: "shared", 2: "separate", 3: "segmented", 4: "seg-coll"}
WINDOWS = 1021
WORDS_PER_STEP = 8


def mixed(x: int) -> int:
    return int(mixed_words(np.array([x], np.uint64))[0])


def mixed_words(x: Words) -> Words:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def key(run: int, partition: int, pattern: int, rank: int, *, rewrite: bool) -> int:
    value = mixed((run + GOLDEN) & MASK)
    for number in (partition, pattern, rank, int(rewrite)):
        value = mixed((value + GOLDEN * (number + 1)) & MASK)
    return value


class Run:
    """A run with its kept files."""

    def __init__(self, folder: Path) -> None:
        self.result = io_result(folder)
        (self.files,) = run_folders(folder)
        self.number = int(self.files.name.removeprefix("b_eff_io-"), 16)
        self.samples: dict[tuple[int, int, str], dict[str, Any]] = {}
        columns = self.result["samples"]
        for row in range(len(columns["pattern"])):
            sample = {name: column[row] for name, column in columns.items()}
            self.samples[sample["partition"], sample["pattern"], sample["access"]] = sample

    def words(self, partition: int, pattern: int, rank: int, calls: int, length: int) -> Words:
        """What `rank` has moved in a pattern, call by call; the rewrite may end earlier."""
        rewritten = self.samples[partition, pattern, "rewrite"]["repetitions"]
        starts = np.arange(calls, dtype=np.uint64) % np.uint64(WINDOWS) * np.uint64(WORDS_PER_STEP)
        index = starts[:, None] + np.arange(length // 8, dtype=np.uint64)[None, :]
        keys = np.array(
            [
                key(self.number, partition, pattern, rank, rewrite=call < rewritten)
                for call in range(calls)
            ],
            dtype=np.uint64,
        )
        return mixed_words(keys[:, None] + np.uint64(GOLDEN) * (index + np.uint64(1)))

    def expected(self, partition: int, kind: int) -> list[Words]:
        """The files of a type, one or one per process."""
        processes = self.result["partitions"][partition]["processes"]
        segment = self.result["partitions"][partition]["segment_bytes"]
        parts: list[list[Words]] = [[] for _ in range(processes)]
        interleaved: list[Words] = []
        for pattern in (p for p in self.result["patterns"] if p["type"] == kind):
            sample = self.samples[partition, pattern["number"], "write"]
            calls = sample["repetitions"]
            if calls == 0:
                continue
            length = sample["bytes"] // processes // calls
            chunk = pattern["l_bytes"] or length
            moved = [
                self.words(partition, pattern["number"], rank, calls, length).reshape(
                    -1, chunk // 8
                )
                for rank in range(processes)
            ]
            for rank in range(processes):
                parts[rank].append(moved[rank].ravel())
            interleaved.append(np.stack(moved, axis=1).ravel())
        if kind < 2:
            return [np.concatenate(interleaved)]
        own = [np.concatenate(part) for part in parts]
        if kind == 2:
            return own
        assert all(part.nbytes == segment for part in own)
        return [np.concatenate(own)]


# MPICH's processes take each other's time where they are more than the cores and share a pointer or
# write a file together.
RUNS = [
    (MPICH, 1, "0-4"),
    (MPICH, 2, "0-4"),
    (MPICH, 3, "0-4"),
    (MPICH, 4, "0,2"),
    (MPICH, 7, "0,2"),
]
RUNS += [(OPENMPI, processes, "0-4") for processes in (1, 2, 3, 4, 7)]


@pytest.mark.parametrize(
    ("library", "processes", "types"),
    [pytest.param(*run, id=f"{run[0].name}-{run[1]}") for run in RUNS],
)
def test_every_byte_stands_where_the_definition_puts_it(
    tmp_path: Path, library: Library, processes: int, types: str
) -> None:
    options = [*tight(processes), "--types", types, "--keep-files"]
    io_measured(library, tmp_path, *options, processes=processes)
    kept = Run(tmp_path)
    assert kept.result["complete"]
    assert kept.result["data_check"]["wrong_chunks"] == 0
    for kind in {pattern["type"] for pattern in kept.result["patterns"]}:
        name = FILES[kind]
        expected = kept.expected(0, kind)
        for rank, words in enumerate(expected):
            file = kept.files / (f"p0-{name}-r{rank}" if kind == 2 else f"p0-{name}")
            found = np.fromfile(file, dtype=np.uint64)
            assert file.stat().st_size == words.nbytes
            wrong = np.flatnonzero(found != words)
            assert wrong.size == 0, f"{file}: {wrong.size} wrong words, first at {8 * wrong[0]}"
