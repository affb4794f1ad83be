"""What cannot be meant or done: one sentence, exit code 2, and nothing is written or replaced."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest
from support.checks import expecting, write
from support.examples import SUM
from support.machines.measure import flat
from support.machines.result import make_map
from support.programs.programs import make_programs, write_script
from support.reports import B_EFF, B_EFF_IO, DATA, VALID, run_beff

RUN = "run --engine programs/b_eff --launcher programs/mpiexec"
FLAT = "run -n 4 --simulate flat"
JOB = "job slurm --nodes 2 --tasks-per-node 2 --engine programs/b_eff"
TODAY = "today --engine programs/b_eff --launcher programs/mpiexec -n 2"
TABLE = "import pairs.csv"
REFUSED = [
    ("rnu", "rnu"),
    ("list rnu", "rnu"),
    ("verify", "FILE... is missing"),
    ("verify --frob x", "--frob"),
    # as of a variable of a script that is not set
    *(
        (line, "is empty; name a file or a folder")
        for line in ("verify ''", "show --history ''", "list build ''", "run --output-dir= ")
    ),
    ("today --history= -n 2", "is empty; name a file or a folder"),
    ("doctor --processes 1", "--processes"),
    # runs
    ("run --proceses 2", "--proceses"),
    ("run --processes 2,2", "--processes 2,2: "),
    ("run --processes two", "--processes two: 'two' must be a whole number"),
    ("run --processes 4,1", "--processes 4,1: '1' must be a whole number"),
    ("run 4", "'4' is not an option; numbers of processes are given by --processes"),
    ("run -- --output x", "--output cannot be given behind '--'"),
    ("run -- --plan=json", "--plan cannot be given behind"),
    ("run --mpi lam", "--mpi lam"),
    (f"{RUN} --benchmark b_eff --mpi openmpi", "leave one of the two out"),
    (f"{RUN} --output-dir file", "file"),
    (f"{RUN} --output-dir file/below", "file"),
    (f"{RUN} -- --loop-time 1ms", "choose one by --benchmark"),
    (f"{RUN} --benchmark b_eff_oi", 'Did you mean "b_eff_io"?'),
    (f"{RUN} --path nowhere", "--path nowhere: there is no such folder"),
    (f"{RUN} --time 30", "--time 30: must be a duration above 0, such as 90s or 30min"),
    (f"{RUN} --time 0s", "--time 0s: must be a duration above 0"),
    (f"{RUN} --max-data 1GiBi", "--max-data 1GiBi: must be a size, such as 512MiB"),
    (f"{RUN} --benchmark b_eff --time 1min", "--time 1min: belongs to b_eff_io"),
    (f"{RUN} --benchmark b_eff --filesystem-note x", "--filesystem-note x: belongs to b_eff_io"),
    (f"{RUN} --benchmark b_eff_io -- --time=1min", "--time cannot be given behind '--'"),
    (f"{RUN} --benchmark b_eff_io -- --plan", "--plan cannot be given"),
    (f"{RUN} --engine {sys.executable}", "is one program for several benchmarks"),
    (f"{RUN} --engine nowhere", "--engine nowhere: there is no such program"),
    (f"{RUN} --processes 2,3,02", "--processes 2,3,02: names 2 twice"),
    (f"{RUN} --quick --time 1min", "--quick sets"),
    (f"{RUN} --quick --memory-per-process 1GiB", "--quick sets"),
    (f"{RUN} --quick --benchmark b_eff -- --loop-time 1ms", "--quick sets"),
    ("run -n 2 --simulate file", "file"),
    ("run -n 2,2 --simulate flat", "2,2"),
    ("run -n 4 --simulate fat-tree", "fat-tree"),
    ("run -n 3 --simulate two-switch", "two-switch"),
    ("run --simulate flat", "--processes"),
    ("run --model smpi", "--model"),
    (f"{FLAT} --placement missing", "missing"),
    (f"{FLAT} --launcher true", "--launcher"),
    (f"{FLAT} --quick", "--quick"),
    (f"{FLAT} --benchmark b_eff_io", "b_eff_io"),
    (f"{FLAT} --benchmark b_eff --benchmark b_pairs", "--benchmark"),
    (f"{FLAT} --per-host all", "--per-host"),
    ("run --simulate flat:10000000000 -n 4", "10000000000"),
    ("run --simulate fat-tree:1000000x1000000x2 -n 4", "1000000"),
    ("run --simulate flat -n 10000000000", "10000000000"),
    ("run --simulate flat:4 -n 2000000000", "2000000000"),
    ("run --processes 4 --simulate ring", "--simulate ring: 'ring' is none of flat, two-switch"),
    ("run --processes 4 --simulate torus", "--simulate torus: needs 3 numbers, x x y x z"),
    ("run --processes 4 --simulate torus:4x-4", "'4x-4' must be whole numbers from 1"),
    ("run --processes 4 --simulate two-switch:5", "two-switch:5: each switch has half"),
    ("run -n 4 --simulate dragonfly:4x2x2x1", "more groups (4) than blades per chassis (2)"),
    ("run -n 4 --simulate flat,backbone=1GB/s", "has no backbone"),
    ("run -n 4 --simulate flat,fast/s", "'fast/s' must be a bandwidth"),
    ("run -n 4 --simulate flat,0.5", "'0.5' must be a latency"),
    (f"{FLAT} --placement rows", "--placement rows: is neither block"),
    (f"{FLAT} --placement block:0", "--placement block:0: must be like"),
    (f"{FLAT}:2 --placement block:1", "block:1: 4 processes need 4 hosts, but flat-2 has 2"),
    # days
    (f"{TODAY} -n 2,4", "--processes"),
    (f"{TODAY} --within soon", "--within"),
    (f"{TODAY} --threshold 0%", "--threshold"),
    (f"{TODAY} --threshold 200%", "--threshold"),
    (f"{TODAY} --path nowhere", "--path"),
    (f"{TODAY} --history file", "--history"),
    # maps and fleets
    ("nodes -n 4 --engine programs --output-dir file", "file"),
    ("nodes --slow 1%", "--slow 1%: must be a percentage from 2% to 1000%"),
    ("nodes --slow fast", "--slow fast: must be a percentage"),
    ("nodes --bad x --good x", "--bad x: is the file of --good, too"),
    ("nodes -- --output x", "--output cannot be given behind '--'"),
    ("nodes -o fleet.csv", "--fleet"),
    ("nodes --show", "--fleet"),
    ("nodes --due due", "--fleet"),
    ("nodes --hosts n1", "--fleet"),
    ("nodes --fleet none --show", "none"),
    ("nodes --fleet maps --show --days 0", "--days"),
    ("nodes --fleet maps --show --hosts n[1-", "n[1-"),
    ("nodes --fleet maps --show --baseline maps", "--baseline"),
    ("nodes --fleet maps --processes 1", "--processes"),
    ("nodes --fleet maps --show -o fleet.txt", "fleet.txt"),
    ("nodes --fleet maps --show -o fleet", "fleet"),
    # jobs
    ("job slurmm --nodes 2 --tasks-per-node 2", 'Did you mean "slurm"?'),
    (f"{JOB} --benchmark pairs", 'Did you mean "b_pairs"?'),
    (JOB, "--path is missing: b_eff_io needs a folder that all nodes see"),
    (f"{JOB} --benchmark b_eff --path /x", "--path /x: belongs to b_eff_io"),
    (f"{JOB} --benchmark b_eff --time 1h", "--time 1h: belongs to b_eff_io"),
    (f"{JOB} --path /x --walltime 30min", "--walltime 30 min: too short for"),
    (f"{JOB} --path /x --quick --time 1min", "--time 1min: --quick sets it"),
    (f"{JOB} --path /x -- --seed 1", "could be meant for b_eff or for b_eff_io"),
    (f"{JOB} --benchmark b_eff -- --quiet", "beff job sets it"),
    (f"{JOB} --path /x --memory-per-process much", "must be a size"),
    (f"{JOB} --benchmark b_eff --per-host 1", "--per-host 1: belongs to b_pairs"),
    (f"{JOB} --benchmark b_eff --nodes 1 --tasks-per-node 1", "at least two processes"),
    (f"{JOB} --benchmark b_eff --name my/job", "--name my/job: must be letters"),
    (f"{JOB} --benchmark b_pairs --bisection=0", "--bisection"),
    (f"{JOB} --benchmark b_pairs --bisection=9", "--bisection"),
    (f"{JOB} --path /x --tender new", "--memory-per-process"),
    (f"{JOB} --path /x --memory-per-process 1GiB --tender new --nodes 1", "--tender"),
    ("nodes --demo --fleet maps", "--fleet"),
    ("check results -o report.pdf", "--accepted"),
    ("run --benchmark b_eff_io --io-peak 1.2", "--io-peak"),
    (f"{JOB} --path /x --tender new --output job.sh", "--tender"),
    *(
        (f"{JOB} --benchmark b_eff {option}={shlex.quote(value)}", f"{option} ")
        for option in ("--name", "--account", "--partition", "--srun-mpi")
        for value in ("my job", "a\n#b", "-x", "a;b", "$HOME", "{{id}}", "my/\tjob")
    ),
    # files that are read, or there
    ("import t.sum -o ./t.sum --overwrite", "is read; choose another name"),
    ("import t.sum t.json --overwrite", "is read; choose another name"),
    ("check results --openmetrics results/a.json --overwrite", "is read; choose another name"),
    ("show r.json --rmax 5 -o r.json --overwrite", "is read; choose another name"),
    ("show results --rmax 5 -o results/../results/a.json --overwrite", "is read; choose"),
    ("compare r.html r.json -o r.html --overwrite", "is read; choose another name"),
    ("compare r.json r.html -o r.html --overwrite", "is read; choose another name"),
    ("show r.json r.html -o r.html --overwrite", "is read; choose another name"),
    ("nodes --fleet maps --show -o maps/m.json --overwrite", "maps/m.json"),
    ("show r.json -o there.html", "--overwrite"),
    ("show r.json -o pic.svg --data", "--overwrite"),
    ("compare r.json r.json -o there.svg", "--overwrite"),
    ("check r.json --bad there.xml", "--overwrite"),
    ("check r.json --openmetrics there.xml", "--overwrite"),
    ("show r.json --rmax 12 -o there.json", "--overwrite"),
    ("show j.journal.jsonl -o there.json", "--overwrite"),
    (f"{JOB} --benchmark b_eff --output there.sh", "--overwrite"),
    ("check m.json --openmetrics none/j", "--openmetrics none/j: the folder none does not exist"),
    ("check m.json --good '' --overwrite", "--good: is empty; name a file or a folder"),
    ("check m.json --bad maps --overwrite", "--bad maps: is a folder"),
    ("check m.json --bad ./m.json --overwrite", "--bad m.json: is read; choose another name"),
    ("check m.json --bad maps/m.json --overwrite --baseline maps", "maps/m.json: is read"),
    ("check m.json --good e.yaml --overwrite --expect e.yaml", "--good e.yaml: is read"),
    ("check m.json --good same --bad ./same", "--bad same: is the file of --good, too"),
    ("check m.json --bad /proc/bad", "/proc/bad cannot be written ("),
    ("accept v.json --as there --tolerance 10%", "--as there: exists"),
    ("check r.json --accepted there --expect file", "give it or --accepted, not both"),
    ("accept r.json --as new --tolerance 0%", "--tolerance 0%: must be above 0%"),
    # reports
    ("show missing.json -o x.md", "no such file"),
    ("show 'no\nfile.json'", "no?file.json: there is no such file"),
    ("check 'no\nfile.json'", "no?file.json: there is no such file"),
    ("show empty -o x.md", "holds no result"),
    ("show file -o x.md", "is not JSON"),
    ("show r.json -o x.docx", ".docx"),
    ("show r.json -o nowhere/x.md", "does not exist"),
    ("show r.json -o empty", "empty"),
    ("show r.json -o -.html", "cannot be printed"),
    ("show r.json -o -.PDF", "cannot be printed"),
    ("show r.json -o -.svg", "cannot be printed"),
    ("show r.json -o -.docx", ".docx"),
    ("show r.json -o x.svg --figure nope", "nope"),
    ("show r.json -o x.svg --figure pairs", "they have rings_and_random, "),
    ("show r.json -o x.md --figure methods", ".pdf, .png, .svg"),
    ("show r.json -o x.md --no-title", ".pdf, .png, .svg"),
    ("show r.json -o x.md --data", "--data"),
    ("show r.json -o x.csv --figure rings", "rings"),
    ("show r.json --json --published", "--published"),
    ("show r.json -o -.md --published", "--published"),
    ("show r.json --rmax 0", "--rmax 0"),
    ("show r.json --rmax much", "--rmax much"),
    ("show r.json --rmax nan", "--rmax nan"),
    ("show r.json --rmax 1e99", "--rmax 1e99"),
    ("show r.json --rmax 1 --hpl x", "give it or --rmax, not both"),
    ("show r.json --hpl missing.out", "no such file"),
    ("show two --rmax 5 -o x.json", "--output x.json: holds one result, and these are 2"),
    ("compare r.json r.json --threshold 100%", "--threshold 100%: must be a percentage"),
    ("compare r.json r.json -o x.HTML --no-title", "--no-title"),
    ("compare r.json empty", "empty: holds no result"),
    ("compare m.json r.json", "a map of pairs has no value; beff check judges it"),
    ("compare r.json r.json --history none", "none"),
    ("compare r.json r.json -o x.gif", "the ending '.gif'"),
    ("compare r.json r.json -o no/x.svg", "does not exist"),
    # tables
    (f"{TABLE} --date soon", "--date soon"),
    (f"{TABLE} --definition 3.5", "--definition 3.5"),
    (f"{TABLE} -o x.figures.json", ".figures.json"),
    (f"{TABLE} pairs.csv -o x.json", "one file for 2 files"),
    ("import empty", "is a folder"),
    ("import figures.csv --date 2026-11-01", "--date 2026-11-01"),
    ("import figures.csv -o x.json", "x.json"),
    # lists
    ("list init empty/..", "is not empty; name a new folder"),
    ("list add file --list there", "file"),
    ("list add r.json --list empty", "empty"),
    ("list add r.json --list there --system -", "-"),
    ("list build empty --check", "empty"),
    ("list build empty", "empty"),
    ("list build there --output-dir empty/..", "holds other files"),
    ("list build there --since main", "--since"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of each kind of file."""
    place = tmp_path_factory.mktemp("refusals")
    for name in ("empty", "results", "two", "maps", "programs"):
        (place / name).mkdir()
    write_script(make_programs(place / "programs").folder / "b_pairs", "")
    for name in ("r.json", "t.json", "r.html", "results/a.json", "two/a.json"):
        shutil.copy(B_EFF, place / name)
    shutil.copy(B_EFF_IO, place / "two/b.json")
    shutil.copy(VALID, place / "v.json")
    shutil.copy(DATA / "b_eff_2p_killed.journal.jsonl", place / "j.journal.jsonl")
    for name in ("m.json", "maps/m.json"):
        write(place / name, make_map(flat(8)))
    for name in ("there.html", "there.svg", "there.xml", "there.json", "there.sh", "file"):
        (place / name).write_text("mine")
    (place / "pic.csv").write_text("mine")
    (place / "t.sum").write_text(SUM)
    (place / "pairs.csv").write_text("from,to,bytes,seconds\na,b,8,1e-6\n")
    (place / "figures.csv").write_text("figure,value,unit,when\na,1,s,2026-11-01\n")
    write(place / "e.yaml", expecting({"b_eff_MBps": [1, None, None, "MB/s"]}))
    assert run_beff("list", "init", "there", folder=place).returncode == 0
    return place


def content(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.mark.parametrize(("line", "says"), REFUSED, ids=lambda value: value[:60])
def test_what_is_refused(line: str, says: str, folder: Path) -> None:
    before = content(folder)
    done = run_beff(*shlex.split(line), folder=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(("beff: ", "file: "))
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert content(folder) == before
