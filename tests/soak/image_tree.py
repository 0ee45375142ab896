"""A Dockerfile carried out without containers: each stage is a Debian tree, each RUN a command in it by `chroot`.

What this cannot show: layers, volumes, networks and limits of a container. It needs root, debootstrap and a mirror.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.repository.tracked import ROOT

SUITE = "trixie"
_NAMES = ("/etc/resolv.conf", "/etc/hosts")
_CERTIFICATES = "/usr/local/share/ca-certificates"
_OF_THIS_MACHINE = ("PIP_INDEX_URL", "NPM_CONFIG_REGISTRY", "HTTPS_PROXY")
_TRUST = dict.fromkeys(("PIP_CERT", "NODE_EXTRA_CA_CERTS"), "/etc/ssl/certs/ca-certificates.crt")


@dataclass(slots=True)
class Stage:
    """One stage: its tree, and what its instructions have set."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    folder: str = "/"
    user: str = "root"
    entrypoint: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def command(self, arguments: Sequence[str], **environment: str) -> list[str]:
        """Return the command line that runs something in the tree, as the stage's user and in its environment."""
        settings = {**self.environment, **environment}
        inside = f'cd {self.folder} && exec env -i "$@"'
        assignments = [f"{name}={value}" for name, value in settings.items()]
        isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc"]
        changed = ["chroot", f"--userspec={self.user}", str(self.root)]
        return [*isolated, *changed, "/bin/sh", "-c", inside, "sh", *assignments, *arguments]

    def run(self, arguments: Sequence[str], **environment: str) -> str:
        line = self.command(arguments, **environment)
        done = subprocess.run(line, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"{shlex.join(arguments)}\n{done.stdout[-4000:]}"
        return done.stdout


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the rest of each instruction of a Dockerfile."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    for line in filter(None, joined.splitlines()):
        name, _, rest = line.partition(" ")
        yield name, rest


def debian_mirror() -> str:
    """Return the address this machine's own packages come from."""
    lines = [line for path in Path("/etc/apt").rglob("*.sources") for line in path.read_text("utf-8").splitlines()]
    return next(line.split()[1] for line in lines if line.startswith("URIs:"))


def built(dockerfile: Path, folder: Path) -> Stage:
    """Carry out every instruction of a Dockerfile, and return its last stage."""
    debian = folder / "debian"
    subprocess.run(["debootstrap", "--variant=minbase", SUITE, str(debian), debian_mirror()], check=True)
    stages: dict[str, Stage] = {}
    stage = Stage(debian)
    for name, rest in instructions(dockerfile.read_text("utf-8")):
        if name == "FROM":
            label = rest.partition(" AS ")[2] or str(len(stages))
            root = folder / f"stage-{label}"
            subprocess.run(["cp", "-a", str(debian), str(root)], check=True)
            stages[label] = stage = Stage(root)
            _open_to_the_network(root)
        else:
            _carry_out(stage, name, rest, stages)
    return stage


def _carry_out(stage: Stage, name: str, rest: str, stages: dict[str, Stage]) -> None:
    if name == "RUN":
        foreign = {key: os.environ[key] for key in _OF_THIS_MACHINE if key in os.environ} | _TRUST
        stage.run(["/bin/sh", "-c", rest], HOME="/root", **foreign)
    elif name == "COPY":
        _copy(stage, rest, stages)
    elif name == "WORKDIR":
        stage.folder = rest
        (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
    elif name == "ENV":
        key, _, value = rest.partition("=")
        stage.environment[key] = value
    elif name == "USER":
        stage.user = rest
    elif name == "ENTRYPOINT":
        stage.entrypoint = json.loads(rest)
    elif name == "HEALTHCHECK":
        stage.health = json.loads(rest.partition(" CMD ")[2])
    else:
        assert name in {"LABEL", "VOLUME", "EXPOSE", "CMD"}, f"{name} is not known here"


def _copy(stage: Stage, rest: str, stages: dict[str, Stage]) -> None:
    source, target = rest.split()[-2:]
    if label := re.match(r"--from=(\S+) ", rest):
        origin, place = stages[label[1]].root / source.lstrip("/"), stage.root / target.lstrip("/")
        subprocess.run(["cp", "-a", str(origin), str(place)], check=True)
        return
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    opened = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    for path in listed.split("\0"):
        if any(path == entry or path.startswith(f"{entry}/") for entry in opened):
            place = stage.root / stage.folder.lstrip("/") / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, place, follow_symlinks=False)


def _open_to_the_network(root: Path) -> None:
    """Give a tree the names and certificates of this machine, as a builder of images does."""
    for name in _NAMES:
        shutil.copy(name, root / name.lstrip("/"))
    shutil.copytree(_CERTIFICATES, root / _CERTIFICATES.lstrip("/"), dirs_exist_ok=True)
