"""The commands of pages, run as printed in a folder where nothing else is.

Programs that measure, launchers and modules are stand-ins with the same contract; beff is real.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from pages_of_docs import ROOT, part_of_page, text_of
from support.machines.measure import flat
from support.machines.result import make_map
from support.programs.programs import make_programs, write_script

_BEFF = f"""\
import sys
sys.path.insert(0, {str(ROOT / "python")!r})
sys.executable = {{folder!r}} + "/python"
from beff.cli.app import main
sys.exit(main())
"""
_PAIRS = """\
import sys
from pathlib import Path
prefix = sys.argv[sys.argv.index("--output") + 1]
day = min(Path({maps!r}).glob("day*"))
day.rename(prefix + ".json")
"""
_SHELL = {
    "srun": """\
case $1 in
  --version) echo slurm 24.05.0 ;;
  --mpi=list) echo MPI plugin types are... pmi2 none ;;
  *) while [[ $1 == -* ]]; do shift; done
     exec "$@" ;;
esac
""",
    "salloc": """\
while [[ $1 == -* ]]; do [[ $1 == -N || $1 == --ntasks-per-node ]] && shift; shift; done
SLURM_JOB_ID=1 SLURM_NTASKS=8 SLURM_JOB_NUM_NODES=8 exec "$@"
""",
    "site_build": 'mkdir -p "$1" && ln -s "$(realpath "$(dirname "$0")/../bin")" "$1/bin"\n',
    "make": "[[ $1 != run ]] || beff run\n",
}
_PREAMBLE = """\
module() { :; }
trap 'echo "$? $BASH_COMMAND" >> codes' ERR
"""
_FIRST_WORDS = {"beff", "cat", "tools/site_build", "salloc", "srun", "make", "module", "for"}
_ONE_RUN, _OPEN, _NOT_VALID = 1, 3, 3
"""A single run is no history; one on either side, or a value that counts for nothing, is open."""


def _script(page: str) -> str:
    """Return the blocks of commands of a page, or of the part behind its #."""
    file, _, heading = page.partition("#")
    text = text_of(ROOT / file)
    if heading:
        text = part_of_page(text, f"## {heading}")
    for folder in ("scratch", "project"):
        text = text.replace(f"/{folder}/me", folder)
    text = re.sub("in 1 2 3[ 45]*;", "in 1;", text)  # turns
    text = re.sub(r"^```text\n.*?^```\n", "", text, flags=re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = "".join(block for block in blocks if block.split()[0] in _FIRST_WORDS).splitlines()
    return "\n".join(line for line in lines if " ... " not in line)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the stand-ins, and a home in it."""
    programs, tools = tmp_path / "bin", tmp_path / "tools"
    for folder in (programs, tools, *(tmp_path / name for name in (".venv", "scratch", "project"))):
        folder.mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(programs)
    make_programs(programs)
    write_script(programs / "beff", _BEFF.format(folder=str(programs)))
    for day in range(3):
        text = json.dumps(make_map(flat(8), day=day))
        (tmp_path / f"day{day}").write_text(text, encoding="utf-8")
    write_script(programs / "b_pairs", _PAIRS.format(maps=str(tmp_path)))
    for name, text in _SHELL.items():
        script = (tools if name == "site_build" else programs) / name
        script.write_text(f"#!/bin/bash\n{text}", encoding="utf-8")
        script.chmod(0o755)
    return tmp_path


_PAGES: dict[str, tuple[str, dict[str, int]]] = {
    "docs/tutorial.md": (
        "",
        {
            "beff compare results/before results/after --all": _OPEN,
            "beff check results/first/b_eff_*p.json --expect machine.expect.yaml --all": _OPEN,
        },
    ),
    "README.md": ("", {}),
    "docs/how-to/compare.md#Which is faster: libraries, file systems, a cloud": (
        "",
        {
            "beff compare libraries/mpich libraries/openmpi": _OPEN,
            **{
                "beff run --benchmark b_eff_io --time 45min"
                f" --path {path} --output-dir files/{path}/$turn": _NOT_VALID
                for path in ("scratch", "project")
            },
            "beff compare files/scratch files/project": _OPEN,
            "beff check b_eff.json maps/first": _OPEN,
        },
    ),
    "docs/how-to/find-a-bad-node.md": ("salloc -N 8 beff nodes --output-dir maps", {}),
    "docs/how-to/check.md#A history": (
        "beff run --benchmark b_eff && cp results/*/b_eff_2p.json new.json",
        {
            "beff show --history results -o history.svg": _ONE_RUN,
            "beff check new.json --accepted acceptance": _OPEN,  # the same run
            "beff check new.json --baseline results": _OPEN,
        },
    ),
    "docs/how-to/list.md": ("beff run --benchmark b_eff", {}),
}
"""What is done before, and commands whose answer is another code than 0."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if "tutorial" in page else pytest.mark.thorough)
        for page in _PAGES
    ],
)
def test_each_command_works_as_printed(site: Path, page: str) -> None:
    before, codes = _PAGES[page]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SLURM")},
        "PATH": f"{site / 'bin'}:/usr/bin:/bin",
        "HOME": str(site),
        "FAKE_PROCESSES": "4",
    }
    done = subprocess.run(
        ["bash", "-c", "\n".join((_PREAMBLE, before, _script(page)))],
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    written = site / "codes"
    lines = written.read_text(encoding="utf-8").splitlines() if written.exists() else []
    found = {command: int(code) for code, _, command in (line.partition(" ") for line in lines)}
    assert found == codes, done.stdout + done.stderr
