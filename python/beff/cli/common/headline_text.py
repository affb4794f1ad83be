"""A headline on a terminal."""

from beff.cli.common.rich_tables import print_line, print_whole
from beff.judge.finding import Verdict
from beff.report.parts.headline import Headline

STYLE_OF = {Verdict.GOOD: "green", Verdict.UNKNOWN: "yellow", Verdict.BAD: "red"}


def print_headline(headline: Headline, more: str = "--all") -> None:
    """Print it, its lines, and how to see `more` where there is more; nothing of that without."""
    print_line(headline.text, f"bold {STYLE_OF[headline.verdict]}")
    for line in headline.lines:
        print_line(line)
    if headline.command:
        print_whole(headline.command)
    if more and headline.has_more:
        print_whole(f"more: {more}")
