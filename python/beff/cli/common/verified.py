"""Verifying a result file, in words."""

import sys
from pathlib import Path

from beff.analysis.verify import verify as verify_document
from beff.model.errors import ResultError
from beff.model.load import SchemaError, load_document
from beff.model.plain_text import one_line


def verify_file(path: Path, show_all: bool = False, *, only_failures: bool = False) -> bool:
    """Print what verifying a file says: one line, or with `show_all` one per finding.

    With `only_failures`, nothing where all agrees.

    Raises ResultError for what is no result.
    """
    try:
        document = load_document(path)
    except SchemaError as problem:
        print(problem, file=sys.stderr)
        return False
    try:
        verification = verify_document(document)
    except ResultError as problem:
        print(problem, file=sys.stderr)
        return False
    named = one_line(str(path))
    if verification.agrees and only_failures:
        return True
    if verification.agrees and verification.not_checked:
        print(
            f"{named}: imported; {verification.figures} printed figures agree with each other;"
            f" cannot be checked: {', '.join(verification.not_checked)}"
        )
        return True
    if verification.agrees:
        print(
            f"{named}: verified, {verification.figures} derived figures and"
            f" {verification.samples} samples agree"
        )
        return True
    for finding in verification.findings if show_all else verification.findings[:1]:
        print(f"{named}: {finding}")
    hidden = len(verification.findings) - 1
    if hidden and not show_all:
        print(f"{named}: {hidden} more disagreements; --all shows them")
    return False
