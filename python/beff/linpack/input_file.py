"""HPL.dat, and hpccinf.txt, which is the same with an end of its own.

The programs read the first word of each line by the line's number; what stands behind it is for
people. The parameters beside the size are those that the authors of HPL recommend as a start.
"""

from beff.linpack.size import LinpackSize

HPL_OUTPUT = "HPL.out"


def hpl_dat(size: LinpackSize) -> str:
    """Return the 31 lines of HPL.dat for one run."""
    rows = [
        (HPL_OUTPUT, "name of the output file"),
        ("8", "output goes to: 6 standard output, 7 standard error, else the file"),
        ("1", "how many N"),
        (str(size.n), "N"),
        ("1", "how many NB"),
        (str(size.nb), "NB"),
        ("0", "order of the processes: 0 by rows"),
        ("1", "how many grids"),
        (str(size.p), "P"),
        (str(size.q), "Q"),
        ("16.0", "largest scaled residual that passes"),
        ("1", "how many panel factorisations"),
        ("2", "panel factorisation: 2 right-looking"),
        ("1", "how many ends of the recursion"),
        ("4", "columns at which the recursion ends"),
        ("1", "how many divisions"),
        ("2", "panels of a recursion"),
        ("1", "how many recursive factorisations"),
        ("1", "recursive factorisation: 1 Crout"),
        ("1", "how many broadcasts"),
        ("1", "broadcast: 1 ring, modified"),
        ("1", "how many depths"),
        ("1", "depth of looking ahead"),
        ("2", "swapping: 2 mixed"),
        ("64", "columns from which swapping is by spread-roll"),
        ("0", "L1: 0 transposed"),
        ("0", "U: 0 transposed"),
        ("1", "equilibration: 1 yes"),
        ("8", "alignment in doubles"),
    ]
    head = ["HPL input, made by beff", "one run for the balance"]
    return "".join(f"{line}\n" for line in [*head, *(f"{v:<12} {what}" for v, what in rows)])


def hpccinf(size: LinpackSize) -> str:
    """Return hpccinf.txt: the lines of HPL.dat, and no sizes of its own for PTRANS."""
    end = [
        "# the lines below are for PTRANS",
        "0            how many more N",
        "0            N",
        "0            how many more NB",
        "0            NB",
    ]
    return hpl_dat(size) + "".join(f"{line}\n" for line in end)
