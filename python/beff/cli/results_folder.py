"""The folder that gets the results of a command."""

from datetime import datetime, timezone
from pathlib import Path

from beff.model.errors import BeffError


def make_folder(chosen: Path | None) -> Path:
    """Make the folder that was chosen, else results/<time in UTC>. Raises BeffError."""
    now = datetime.now(timezone.utc)
    folder = chosen if chosen is not None else Path("results") / f"{now:%Y-%m-%dT%H%M%SZ}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BeffError(
            f"the folder {folder} cannot be made ({problem.strerror}); choose another with"
            " --output-dir"
        ) from None
    return folder
