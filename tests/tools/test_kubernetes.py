"""The files for Kubernetes: what its API takes, which nodes are measured, and which get a label."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest
import yaml
from support.fleet_folder import write_beff

ROOT = Path(__file__).resolve().parents[2]
FOLDER, FLEET = ROOT / "packaging" / "kubernetes", ROOT / "packaging" / "monitoring/beff-fleet.sh"
PORT = 17471
FILES = sorted(path.name for path in FOLDER.glob("*.yaml"))
MPI_JOB = {
    "mpiImplementation": {"enum": ["OpenMPI", "Intel", "MPICH"]},
    "slotsPerWorker": {"type": "integer"},
    "launcherCreationPolicy": {"enum": ["AtStartup", "WaitForWorkersReady"]},
    "runPolicy": {
        "properties": {
            "cleanPodPolicy": {"enum": ["None", "Running", "All"]},
            "activeDeadlineSeconds": {"type": "integer"},
            "backoffLimit": {"type": "integer"},
        },
        "additionalProperties": False,
    },
    "mpiReplicaSpecs": {"required": ["Launcher", "Worker"]},
}
"""Of `spec`, as far as it is used: mpi-operator, pkg/apis/kubeflow/v2beta1/types.go."""


def run(program: str | Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [FOLDER / program, *words]
    return subprocess.run(
        command, env=os.environ | more, capture_output=True, text=True, timeout=120, check=False
    )


def rendered(file: str, *words: str) -> list[dict[str, Any]]:
    done = run("render", file, *words)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def validate(document: dict[str, Any]) -> None:
    """Raise where the API would refuse it or not know a field."""
    schemas = pytest.importorskip("kubernetes_validate")
    if document["kind"] != "MPIJob":
        schemas.validate(document, "1.37", strict=True)
        return
    spec = document["spec"]
    jsonschema.validate(spec, {"properties": MPI_JOB, "additionalProperties": False})
    for replica in spec["mpiReplicaSpecs"].values():
        assert replica.keys() == {"replicas", "restartPolicy", "template"}
        pod = {"template": replica["template"], "replicas": replica["replicas"], "selector": {}}
        meta = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "x"}}
        schemas.validate({**meta, "spec": pod}, "1.37", strict=True)


@pytest.mark.parametrize("file", FILES)
def test_the_api_takes_each_object_and_the_image_stands_in_one_place(file: str) -> None:
    documents = rendered(file, "IMAGE=there/it:1", "PODS=7", "NAME=other", "NAMESPACE=site")
    text = json.dumps(documents)
    assert text.count('"image": "there/it:1"') == text.count('"image"') >= 1
    assert all(each["metadata"].get("namespace", "site") == "site" for each in documents)
    assert "7" in text
    for document in documents:
        validate(document)


@pytest.mark.parametrize("words", [[], ["none.yaml"], ["job.yaml", "PODZ=3"], ["job.yaml", "PODS"]])
def test_what_is_not_there_is_refused_in_a_sentence(words: list[str]) -> None:
    done = run("render", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("render: ")
    assert len(done.stderr.splitlines()) == 1


class Api(BaseHTTPRequestHandler):
    """As much of the API as is asked for: nodes, pods, a CronJob; takes Jobs and labels."""

    nodes: ClassVar[list[dict[str, Any]]] = []
    pods: ClassVar[list[dict[str, Any]]] = []
    jobs: ClassVar[list[dict[str, Any]]] = []

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/cronjobs/beff-measure"):
            self.answer(rendered("fleet.yaml")[-1])
        elif path == "/api/v1/nodes":
            self.answer({"items": self.nodes})
        elif path == "/api/v1/pods":
            self.answer({"items": self.pods})
        else:
            self.send_error(403, "no")

    def do_POST(self) -> None:
        self.jobs.append(self.body())
        assert self.path.startswith("/apis/batch/v1/namespaces/beff/jobs")
        self.answer({"metadata": {"name": "beff-measure-x"}})

    def do_PATCH(self) -> None:
        assert self.headers["Content-Type"] == "application/merge-patch+json"
        name = self.path.partition("?")[0].rpartition("/")[2]
        labels = next(each for each in self.nodes if each["metadata"]["name"] == name)
        for key, value in self.body()["metadata"]["labels"].items():
            labels["metadata"]["labels"].pop(key, None)
            labels["metadata"]["labels"] |= {} if value is None else {key: value}
        self.answer({})

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return found

    def answer(self, fields: dict[str, Any]) -> None:
        text = json.dumps(fields).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def api() -> Iterator[dict[str, str]]:
    """Serve six nodes and return the variables by which they are reached."""
    Api.nodes, Api.jobs = [node(f"n{number}") for number in range(1, 7)], []
    Api.pods = [pod("n1", "DaemonSet"), pod("n2", "Node"), pod("n3", "ReplicaSet", "kube-system")]
    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        yield {"BEFF_KUBE_API": address, "BEFF_MEASURE": "beff/beff-measure"}
        server.shutdown()


def node(name: str, ready: str = "True", **spec: bool) -> dict[str, Any]:
    """A node whose object is called otherwise than its host."""
    labels = {"kubernetes.io/hostname": name}
    status = {"conditions": [{"type": "Ready", "status": ready}]}
    return {"metadata": {"name": f"{name}.site", "labels": labels}, "spec": spec, "status": status}


def pod(host: str, owner: str, namespace: str = "users") -> dict[str, Any]:
    metadata = {"namespace": namespace, "ownerReferences": [{"kind": owner}]}
    return {"metadata": metadata, "spec": {"nodeName": f"{host}.site"}}


def test_nodes_that_are_ready_open_and_free_are_idle(api: dict[str, str]) -> None:
    Api.nodes[3:5] = [node("n4", ready="Unknown"), node("n5", unschedulable=True)]
    Api.pods.append(pod("n6", "Job"))
    assert run("beff-kube", "idle", **api).stdout.split() == ["n1", "n2", "n3"]


def test_a_night_measures_idle_nodes_and_labels_the_bad_one(
    api: dict[str, str], tmp_path: Path
) -> None:
    """The Job's own variables and command are used; the map of its nodes is made up."""
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "slow").write_text(json.dumps({"n5": 1.4}), encoding="utf-8")
    write_beff(tmp_path)
    path = f"{tmp_path}:{FOLDER}:{FLEET.parent}:{os.environ['PATH']}"
    site = {**api, "BEFF_SHARED": str(shared), "BEFF_SCHEDULER": "beff-kube", "PATH": path}
    assert run(FLEET, **site).returncode == 0
    (job,) = Api.jobs
    validate(job)
    terms = job["spec"]["template"]["spec"]["affinity"]["nodeAffinity"]
    (term,) = terms["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    hosts = term["matchExpressions"][0]["values"]
    assert hosts == ["n1", "n2", "n3", "n4", "n5", "n6"]
    assert (job["spec"]["completions"], job["spec"]["parallelism"]) == (6, 6)
    (container,) = job["spec"]["template"]["spec"]["containers"]
    given = {each["name"]: each["value"] for each in container["env"] if "value" in each}
    assert (given["BEFF_PODS"], given["BEFF_POD_0"]) == ("6", "$(BEFF_JOB)-0.beff-fleet")
    in_job = {**given, **site, "SLURM_JOB_NODELIST": ",".join(hosts), "BEFF_SCHEDULER": ""}
    Api.nodes[1]["metadata"]["labels"]["beff-host"] = "bad"  # of an earlier night
    assert container["command"][0] == "beff-pods"
    done = run("/usr/bin/env", *container["command"][1:], **in_job)
    assert done.returncode == 0, done.stderr
    found = [each["metadata"] for each in Api.nodes]
    assert {each["name"] for each in found if "beff-host" in each["labels"]} == {"n5.site"}


def test_who_may_not_ask_is_told_so(api: dict[str, str]) -> None:
    refused = run("beff-kube", "submit", "n1", **{**api, "BEFF_MEASURE": "beff/other"})
    assert (refused.returncode, "403" in refused.stderr) == (1, True)
    outside = run("beff-kube", "idle")
    assert (outside.returncode, "BEFF_KUBE_API" in outside.stderr) == (1, True)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "JOB_COMPLETION_INDEX"),
        ({"JOB_COMPLETION_INDEX": "0", "BEFF_PODS": "3"}, "pods 1, 2"),
        ({"JOB_COMPLETION_INDEX": "1", "BEFF_PODS": "3"}, "cannot reach pod 0"),
    ],
)
def test_pods_that_do_not_come_are_named(given: dict[str, str], named: str) -> None:
    more = {"BEFF_POD_0": "127.0.0.1", "BEFF_WAIT_S": "0.2", "BEFF_PORT": str(PORT)}
    done = run("beff-pods", "true", **(given and given | more))
    assert done.returncode == 1
    assert named in done.stderr


def test_a_pod_that_is_lost_ends_the_run(tmp_path: Path) -> None:
    launch = """exec "$HYDRA_LAUNCHER_EXEC" -x other "echo --control-port me:9 > here" """
    pods = {"BEFF_PODS": "2", "BEFF_POD_0": "localhost", "BEFF_PORT": str(PORT)}

    def start(pod: int) -> subprocess.Popen[bytes]:
        env = os.environ | pods | {"JOB_COMPLETION_INDEX": str(pod)}
        return subprocess.Popen([FOLDER / "beff-pods", "sh", "-c", launch], env=env, cwd=tmp_path)

    with start(0) as leader:
        with connected() as peer, peer.makefile("rw") as file:
            file.write('{"pod": 1, "host": "other", "node": "n1"}\n')
            file.flush()
            asked = json.loads(file.readline())
        assert leader.wait(30) == 255
    assert asked == {"run": "echo --control-port me:9 > here"}
    with socket.create_server(("127.0.0.1", PORT)) as server, start(1) as follower:
        with server.accept()[0] as peer, peer.makefile("rw") as file:
            assert json.loads(file.readline())["pod"] == 1
            file.write(json.dumps(asked) + "\n")
            file.flush()
            assert json.loads(file.readline()) == {"code": 0}
        assert follower.wait(30) == 1
    assert (tmp_path / "here").read_text(encoding="utf-8") == "--control-port localhost:9\n"


def connected() -> socket.socket:
    """Reach pod 0 as soon as it listens."""
    for _ in range(300):
        with contextlib.suppress(OSError):
            return socket.create_connection(("localhost", PORT))
        time.sleep(0.1)
    raise TimeoutError
