"""Reading of results that strangers send: in a process of its own, with bounded time and memory.

A file may be made so that checking it takes for ever; here it costs that process only.
"""

import resource
import subprocess
import sys

from pydantic import ValidationError

from beff.store.errors import RefusedError
from beff.store.reading import ReadResult, read_result

CPU_LIMIT_S = 60
MEMORY_LIMIT_BYTES = 2 << 30
_WALL_LIMIT_S = 120
_REFUSED = 3


def read_result_in_subprocess(source: str, content: bytes) -> ReadResult:
    """Do what `read_result` does. Raises RefusedError, also when a limit was reached."""
    limits = (str(CPU_LIMIT_S), str(MEMORY_LIMIT_BYTES))
    command = [sys.executable, "-m", "beff.store.subprocess_reading", source, *limits]
    try:
        answer = subprocess.run(
            command, input=content, capture_output=True, timeout=_WALL_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise RefusedError(f"{source}: took too long to verify") from None
    if answer.returncode == _REFUSED:
        raise RefusedError(answer.stdout.decode("utf-8", "replace"))
    try:
        return ReadResult.model_validate_json(answer.stdout)
    except ValidationError:
        raise RefusedError(
            f"{source}: cannot be verified with the time and memory there is"
        ) from None


def _main(source: str, cpu_s: int, memory_bytes: int) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    try:
        answer = read_result(source, sys.stdin.buffer.read()).model_dump_json()
        code = 0
    except RefusedError as problem:
        answer, code = str(problem), _REFUSED
    sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
    return code


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1], *map(int, sys.argv[2:])))
