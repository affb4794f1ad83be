"""All diagrams of a report."""

from beff.model.b_eff_io_figures import partition_figures
from beff.model.load import as_b_eff, as_b_eff_io
from beff.report.plots import b_eff, b_eff_io
from beff.report.plots.plot import Plot, drawable
from beff.report.subject import Subject


def plots_of(subject: Subject) -> list[Plot]:
    """Diagrams over several results first, then those of each."""
    plots: list[Plot] = []
    measured = subject.b_eff()
    if len(measured) > 1:
        plots += b_eff.overlay(measured, "b-eff")
    plots += b_eff.scaling(measured, "b-eff-processes")
    files = [
        (entry.label, as_b_eff_io(entry.document), partition_figures(entry.document))
        for entry in subject.results
        if entry.document.benchmark == "b_eff_io"
    ]
    plots += b_eff_io.scaling(files, "b-eff-io-processes")
    for number, entry in enumerate(subject.results, start=1):
        name = f"{entry.document.benchmark.replace('_', '-')}-{number}"
        if entry.document.benchmark == "b_eff":
            plots += b_eff.plots_of(entry.label, as_b_eff(entry.document), name)
        else:
            plots += b_eff_io.plots_of(entry.label, as_b_eff_io(entry.document), name)
    return drawable(plots)
