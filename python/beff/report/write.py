"""Writing of a report in one step, also where it consists of several files."""

import tempfile
from pathlib import Path

from beff.analysis.subject import Subject
from beff.model.errors import BeffError
from beff.model.write import require_free
from beff.report.formats import Format


def write_report(chosen: Format, subject: Subject, target: Path, *, overwrite: bool) -> list[Path]:
    """Write the report and return its files, the named one first.

    All files are made in a folder of their own and then moved to their places, so that nobody sees
    half a report. Raises TargetError when there is no place for a file, and BeffError when it
    cannot be written.
    """
    require_free(target, overwrite=overwrite)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            made = Path(folder)
            chosen.write(subject, made / target.name)
            names = sorted(file.name for file in made.iterdir())
            names.sort(key=lambda name: name == target.name)
            for name in names:
                require_free(target.with_name(name), overwrite=overwrite)
            for name in names:
                (made / name).replace(target.with_name(name))
    except OSError as problem:
        raise BeffError(f"{target} cannot be written ({problem.strerror})") from None
    return [target.with_name(name) for name in reversed(names)]
