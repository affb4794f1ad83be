"""Writing of a report in one step, also where it consists of several files."""

import tempfile
from pathlib import Path

from beff.analysis.subject import Subject
from beff.model.errors import BeffError
from beff.report.formats import Format


def write_report(chosen: Format, subject: Subject, target: Path, *, overwrite: bool) -> list[Path]:
    """Write the report and return its files, the named one first.

    All files are made in a folder of their own and then moved to their places, so that nobody sees
    half a report. Raises BeffError when a file exists and `overwrite` is false, or cannot be
    written.
    """
    _refuse_existing(target, overwrite)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            made = Path(folder)
            chosen.write(subject, made / target.name)
            names = sorted(file.name for file in made.iterdir())
            names.sort(key=lambda name: name == target.name)
            for name in names:
                _refuse_existing(target.with_name(name), overwrite)
            for name in names:
                (made / name).replace(target.with_name(name))
    except OSError as problem:
        raise BeffError(f"{target} cannot be written ({problem.strerror})") from None
    return [target.with_name(name) for name in reversed(names)]


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if path.is_dir():
        raise BeffError(f"{path} is a folder; choose the name of a file with --output")
    if path.exists() and not overwrite:
        raise BeffError(f"{path} exists; choose another name with --output or give --overwrite")
