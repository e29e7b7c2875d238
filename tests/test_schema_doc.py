"""docs/schema.md is generated; this keeps it current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from auditor.schema import TABLES

ROOT = Path(__file__).parent.parent


def test_the_documentation_of_the_tables_is_current() -> None:
    command = [sys.executable, "scripts/generate_schema_doc.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_column_is_explained() -> None:
    text = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    for table in TABLES:
        names = [column.name for column in table.columns]
        assert len(names) == len(set(names))
        assert f"## {table.filename}" in text
        for column in table.columns:
            assert column.meaning
            assert f"| `{column.name}` | {column.type} | {'yes' if column.nullable else 'no'} |" in text
