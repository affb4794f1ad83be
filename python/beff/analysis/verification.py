"""The outcome of verifying one result file."""

from dataclasses import dataclass

from beff.analysis.finding import Finding


@dataclass(frozen=True)
class Verification:
    """Findings in the order of the checks; empty for a good file.

    `figures` derived values were compared, `samples` raw samples were checked.
    """

    findings: tuple[Finding, ...]
    figures: int
    samples: int

    @property
    def agrees(self) -> bool:
        """True when nothing was found."""
        return not self.findings
