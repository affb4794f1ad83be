"""Verifying a result file, in words."""

from pathlib import Path

from beff.cli.common.say import say, warn
from beff.result.errors import ResultError
from beff.result.load import SchemaError, load_document
from beff.result.plain_text import one_line
from beff.verify.verify import verify as verify_document


def verify_file(path: Path, show_all: bool = False, *, only_failures: bool = False) -> bool:
    """Print what verifying a file says: one line, or with `show_all` one per finding.

    With `only_failures`, nothing where all agrees.

    Raises ResultError for what is no result.
    """
    try:
        document = load_document(path)
    except SchemaError as problem:
        warn(problem)
        return False
    try:
        verification = verify_document(document)
    except ResultError as problem:
        warn(problem)
        return False
    named = one_line(str(path))
    if verification.agrees:
        said = (
            f"verified, {verification.figures} derived figures and {verification.samples} samples"
            " agree"
        )
        if verification.not_checked:
            said = (
                f"imported; {verification.figures} printed figures agree with each other; cannot"
                f" be checked: {', '.join(verification.not_checked)}"
            )
        if not only_failures:
            say(f"{named}: {said}")
        return True
    for finding in verification.findings if show_all else verification.findings[:1]:
        say(f"{named}: {finding}")
    hidden = len(verification.findings) - 1
    if hidden and not show_all:
        say(f"{named}: {hidden} more disagreements; --all shows them")
    return False
