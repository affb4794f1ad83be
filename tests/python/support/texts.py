"""Results in which one text stands in every place where a machine or a user chooses one."""

import json
from pathlib import Path
from typing import Any


def of_one_text(fields: dict[str, Any], text: str, target: Path) -> Path:
    """Write a result with this text in its places, also as a name of a fact or an option."""
    environment = fields["environment"]
    fields["cautions"] = [
        {"code": text, "facts": {}},
        {"code": "wrong data", "facts": {"first": text, text: text}},
    ]
    fields["options"][text] = [text, {text: text}]
    environment["hosts"] = [{**host, "name": text} for host in environment["hosts"]]
    environment["uname"] = dict.fromkeys(environment["uname"], text)
    environment["mpi"]["library"] = environment["cpu"]["model"] = text
    for name in ("host_list", "topology", "memory_source", "launch_command"):
        environment[name] = text
    environment["command_line"] = [text]
    environment["environment_variables_of_mpi"] = {text: text, f"UCX_{text}": text}
    fields["criteria"][0]["code"] = fields["data_check"]["first_error"] = text
    fields["program"]["git_commit"] = fields["program"]["version"] = text
    for pattern in fields["patterns"]:
        if "name" in pattern:
            pattern["name"] = text
    if "filesystem" in environment:
        environment["filesystem"].update(kind=text, mount=text, paths=[text])
        fields["medium"]["code"] = text
        for table in ("samples", "types"):
            fields[table]["error"] = [text] * len(fields[table]["error"])
    target.write_text(json.dumps(fields), encoding="utf-8")
    return target
