from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["static", "minilm", "minilm-torch"])
def test_encoders_need_no_socket(name: str) -> None:
    """In a process of its own: the libraries must not reach for the network while they are imported either."""
    code = (
        "from pytest_socket import disable_socket; disable_socket();"
        "import os; os.environ['HF_HUB_OFFLINE'] = '0';"
        "from auditor.embed import get_encoder;"
        f"rows = get_encoder({name!r}).encode(['Returns within 30 days.', 'Returns within 14 days.']);"
        "assert rows[0] @ rows[1] > 0.6, rows[0] @ rows[1];"
        "assert os.environ['HF_HUB_OFFLINE'] == '1' and os.environ['TRANSFORMERS_OFFLINE'] == '1'"
    )
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    assert "\r" not in done.stderr, "a progress bar was drawn"
