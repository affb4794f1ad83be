"""What `beff run` shows when the measuring is over."""

from beff.analysis.subject import LabelledResult, Subject
from beff.cli.answer_text import print_answers, print_labelled
from beff.cli.rich_tables import print_line, print_table
from beff.cli.run_benchmark import Run
from beff.cli.run_numbering import numbering_remarks, numbering_table
from beff.cli.verify import verify_file
from beff.report.tables.sections import published_tables


def report_runs(runs: list[Run], *, published: bool = False) -> bool:
    """Print the answer of each result, what does not verify, and where the files are.

    With `published`, the published systems follow. Returns whether every result was verified.
    """
    measured = [(run, run.measured.document) for run in runs if run.measured is not None]
    print_answers([document for _, document in measured])
    verified = True
    for run, _ in measured:
        for remark in numbering_remarks(run):
            print_line(f"{run.title}: {remark}")
        verified = verify_file(run.result_file, only_failures=True) and verified
    for benchmark in dict.fromkeys(run.benchmark.name for run in runs):
        compared = numbering_table([run for run in runs if run.benchmark.name == benchmark])
        if compared is not None:
            print_table(compared)
    if published and measured:
        own = (LabelledResult("this machine", document) for _, document in measured)
        for table in published_tables(Subject(tuple(own))):
            print_table(table)
    for folder in dict.fromkeys(run.prefix.parent for run, _ in measured):
        print_labelled("results", str(folder))
    return verified
