"""Sentences for people, which may hold anything: names of files and hosts, texts of others."""

import sys

from beff.model.plain_text import one_line


def say(sentence: object) -> None:
    """Print a line on standard output."""
    print(one_line(str(sentence)))


def warn(sentence: object) -> None:
    """Print a sentence on standard error; one that quotes a program may have several lines."""
    print("\n".join(map(one_line, str(sentence).split("\n"))), file=sys.stderr)
