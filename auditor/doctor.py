"""Checks of the installation for `audit doctor`: what is there, what is missing, what to do.

Nothing heavy is imported: versions come from package metadata and models are hashed, not loaded, so that it answers in a
second even where torch would crash.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from auditor.embed.models import KNOWN, PINNED, ModelError, go_offline, verified
from auditor.errors import UserError
from auditor.resources import resource_dir

PACKAGES = (
    "corpus-auditor",
    "torch",
    "sentence-transformers",
    "transformers",
    "numpy",
    "scipy",
    "faiss-cpu",
    "polars",
    "jinja2",
    "typer",
    "rich",
    "dateparser",
    "markdown-it-py",
    "mdit-py-plugins",
    "docutils",
    "pyyaml",
    "onnxruntime",
    "tokenizers",
    "safetensors",
    "PyStemmer",
    *PINNED,
)
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
MIN_PYTHON = (3, 11)
MIN_MEMORY = 2 << 30  # torch with its libraries, a model, and the tables of a large corpus
MIN_DISK = 1 << 30
GIB = float(1 << 30)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. `detail` says what was found and, if not `ok`, what to do."""

    name: str
    ok: bool
    detail: str


def collect(folder: Path | None = None) -> list[Check]:
    """All checks, in the order they are shown. `folder` is where a scan would write; the working folder by default."""
    return [
        _python(),
        *(_package(name) for name in PACKAGES),
        *_models(),
        _offline(),
        _rules(),
        _cores(),
        _memory(),
        _disk(folder or Path.cwd()),
    ]


def _python() -> Check:
    version = sys.version_info
    found = f"{version.major}.{version.minor}.{version.micro}"
    if version[:2] < MIN_PYTHON:
        return Check("python", False, f"{found}; needed is {MIN_PYTHON[0]}.{MIN_PYTHON[1]} or later")
    return Check("python", True, f"{found} ({sys.executable})")


def _package(name: str) -> Check:
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        if name == "corpus-auditor":
            # A bare checkout on PYTHONPATH works and has no metadata.
            return Check(f"package {name}", True, f"not installed, runs from {Path(__file__).parent}")
        return Check(f"package {name}", False, f"not installed. Run: pip install {PINNED.get(name, name)}")
    wanted = PINNED.get(name)
    if wanted is not None and wanted != f"{name}=={found}":
        return Check(f"package {name}", False, f"{found} is not the tested version. Run: pip install {wanted}")
    return Check(f"package {name}", True, found)


def _models() -> list[Check]:
    checks = []
    for file in KNOWN:
        try:
            path = verified(file)
        except (ModelError, OSError) as error:
            checks.append(Check(f"model {file.name}", False, str(error)))
        else:
            checks.append(
                Check(f"model {file.name}", True, f"{path.stat().st_size / 1e6:.1f} MB, sha256 {file.sha256[:12]}… as expected")
            )
    return checks


def _offline() -> Check:
    overruled = [f"{name}={os.environ[name]}" for name in OFFLINE if os.environ.get(name, "1") != "1"]
    go_offline()
    constants = sys.modules.get("huggingface_hub.constants")
    ok = all(os.environ.get(name) == "1" for name in OFFLINE) and getattr(constants, "HF_HUB_OFFLINE", True) is True
    detail = ", ".join(f"{name}={os.environ.get(name)}" for name in OFFLINE)
    if overruled:
        detail += f" (your environment had {', '.join(overruled)}; the auditor overrules it)"
    return Check("offline", ok, detail)


def _rules() -> Check:
    try:
        folder = resource_dir("rules")
    except UserError as error:
        return Check("rule packs", False, str(error))
    packs = sorted(folder.glob("*.toml"))
    if not packs:
        return Check("rule packs", False, f"no rule pack in {folder}. Install corpus-auditor again.")
    for pack in packs:
        try:
            tomllib.loads(pack.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return Check("rule packs", False, f"{pack}: {error}")
    return Check("rule packs", True, f"{', '.join(p.stem for p in packs)} in {folder}")


def _cores() -> Check:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Check("cores", True, str(cores))


def _memory() -> Check:
    total = _total_memory()
    if total is None:
        return Check("memory", True, "unknown on this system")
    if total < MIN_MEMORY:
        return Check("memory", False, f"{total / GIB:.1f} GiB; large corpora need {MIN_MEMORY / GIB:.0f} GiB or more")
    return Check("memory", True, f"{total / GIB:.1f} GiB")


def _total_memory() -> int | None:
    """Bytes of memory this process may use; a container's limit counts."""
    sizes = []
    with contextlib.suppress(AttributeError, OSError, ValueError):  # not there on Windows
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            sizes.append(int(Path(name).read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such control group, or "max"
            continue
    return min(sizes) if sizes else None


def _disk(folder: Path) -> Check:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("disk", False, f"{folder}: {error.strerror}")
    if free < MIN_DISK:
        return Check(
            "disk", False, f"{free / GIB:.1f} GiB free at {folder}; a scan of a large corpus needs {MIN_DISK / GIB:.0f} GiB"
        )
    return Check("disk", True, f"{free / GIB:.1f} GiB free at {folder}")
