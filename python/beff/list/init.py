"""A new list: settings, the systems of the papers, and what forges need."""

from pathlib import Path

import yaml

from beff.importers.published import (
    PublishedIoRow,
    PublishedIoSource,
    PublishedRow,
    published_io_results,
    published_results,
)
from beff.launch.installation import repository
from beff.list.folder import HARDWARE, PUBLISHED, SETTINGS, SYSTEMS, published_text, slug_of
from beff.result.errors import BeffError, TargetError
from beff.result.numbers import BYTES_PER_MB
from beff.result.places import is_folder
from beff.store.entry import COLUMNS, Entry
from beff.store.hardware import Hardware
from beff.verify.b_eff.definition import MEMORY_PER_LMAX

_YEAR = 2001
"""Of Table 1; the papers do not say when exactly was measured."""
_S_PER_MIN = 60
_MACHINES = {
    "Cray T3E/900-512": Hardware(
        site="HLRS/RUS Stuttgart",
        cores=512,
        file_system="tmp file system on 10 striped RAID disks at a GigaRing",
    ),
    "IBM SP": Hardware(
        site="LLNL, blue Pacific",
        cpus="4 processors of 332 MHz per node",
        nodes=336,
        cores=1344,
        file_system="GPFS with 20 VSD servers",
    ),
    "Hitachi SR 8000": Hardware(site="HLRS Stuttgart"),
    "NEC SX-5": Hardware(
        site="HLRS Stuttgart", file_system="SFS on four striped RAID-3 arrays DS 1200"
    ),
}
"""What the papers' text says about a machine beside its figures."""
_SAME_MACHINE = {"Cray T3E": "Cray T3E/900-512"}
"""b_eff_io was measured on the machine that the caption of Figure 3 names T3E900-512."""


def published_systems() -> list[tuple[Hardware, list[Entry]]]:
    """Return the systems of the papers and their figures."""
    table, io_values = published_results(), published_io_results()
    found: dict[str, list[Entry]] = {}
    for row in table.rows:
        found.setdefault(row.system, []).append(_b_eff_entry(row, table.source))
    for io_row in io_values.rows:
        name = _SAME_MACHINE.get(io_row.system, io_row.system)
        entry = _b_eff_io_entry(io_row, io_values.sources[io_row.source])
        found.setdefault(name, []).append(entry)
    return [
        (_MACHINES.get(name, Hardware()).model_copy(update={"name": name}), entries)
        for name, entries in found.items()
    ]


def _b_eff_entry(row: PublishedRow, source: str) -> Entry:
    memory = row.lmax_bytes * MEMORY_PER_LMAX
    return Entry(
        benchmark="b_eff",
        status="historic",
        source=source if row.note is None else f"{source}; {row.note}",
        year=_YEAR,
        memory_per_process_bytes=memory,
        **row.model_dump(include=set(COLUMNS)),
        total_memory_exchange_s=row.processes * memory / (row.b_eff_MBps * BYTES_PER_MB),
    )


def _b_eff_io_entry(row: PublishedIoRow, source: PublishedIoSource) -> Entry:
    """Return a value of b_eff_io; where nodes were counted, the processes are not known."""
    return Entry(
        benchmark="b_eff_io",
        definition=row.release,
        status="historic",
        source=source.text,
        year=source.year,
        io_value_MBps=row.b_eff_io_MBps,
        io_value_1_MBps=row.b_eff_io_MBps if row.release == "1" else None,
        io_partition_time_s=float(row.time_min * _S_PER_MIN),
        nodes=row.count if row.unit == "nodes" else None,
        processes=row.count if row.unit != "nodes" else None,
    )


_NEW = Path(__file__).parent / "new"
_FILES = {
    "README.md": "README.md",
    "github.yml": ".github/workflows/list.yml",
    "gitlab.yml": ".gitlab-ci.yml",
}
_SETTINGS = """\
title: {title}
# repository: https://forge.example/our/list
{beff}
io_release: 1  # of b_eff_io, by which the list ranks; 2.1 is the 30 minutes of Top Clusters
weights:
  b_eff: 1
presets:
  communication: {{b_eff: 1}}
  I/O: {{io: 1}}
  balance: {{balance: 1}}
  latency: {{latency: 1}}
"""


def init(folder: Path, title: str) -> None:
    """Make a list in a folder that is new, empty or a fresh repository. Raises BeffError."""
    try:
        if not is_folder(folder):
            folder.mkdir(parents=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise TargetError(f"{folder}: is not empty; name a new folder")
        for source, target in _FILES.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes((_NEW / source).read_bytes())
        (folder / ".gitignore").write_text("/site/\n/public/\n/comment.md\n", "utf-8")
        for hardware, entries in published_systems():
            place = folder / SYSTEMS / slug_of(hardware.name or "")
            place.mkdir(parents=True)
            (place / HARDWARE).write_text(hardware_text(hardware), "utf-8")
            (place / PUBLISHED).write_text(published_text(entries), "utf-8")
        quoted = yaml.safe_dump(title, allow_unicode=True, default_style='"', width=1000).strip()
        origin = repository()
        beff = f"beff: {origin}" if origin else "# beff: git+https://forge.example/beff@COMMIT"
        (folder / SETTINGS).write_text(_SETTINGS.format(title=quoted, beff=beff), "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder}: cannot be written ({problem.strerror})") from None


def hardware_text(hardware: Hardware) -> str:
    """Return the content of a system.yaml."""
    known = hardware.model_dump(exclude_none=True)
    return yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=100)
