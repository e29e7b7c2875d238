"""Writes records.parquet (with DuckDB) and notebook-3.ipynb, notebook-4.ipynb (with nbformat).

pip install duckdb==2.0.1 nbformat==5.11.1; python tests/load/files/make_records.py
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

HERE = Path(__file__).parent

duckdb.sql(
    f"""
    COPY (
      SELECT 'policy-' || n AS key,
             'Policy ' || n AS name,
             '<h2>Refunds</h2><p>The refund period is ' || (10 * n) || ' days from delivery.</p>' AS body,
             TIMESTAMP '2024-03-01 12:00:00' + n * INTERVAL 1 DAY AS updated_at,
             {{'name': 'Ann Lee', 'team': 'Legal'}} AS owner,
             [0.1, 0.2, 0.3]::FLOAT[] AS embedding
      FROM range(1, 1001) AS numbers(n)
    ) TO '{HERE / "records.parquet"}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)
    """
)

TABLE = "| Plan | Retention |\n|---|---|\n| Basic | 30 days |\n| Business | 90 days |"
book = new_notebook(
    metadata={
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "authors": [{"name": "Ann Lee"}],
    },
    cells=[
        new_markdown_cell(
            "# Retention of logs\n\nThe following hold:\n\n- Logs are kept for 30 days.\n- Backups are kept for 90 days.", id="a"
        ),
        new_code_cell(
            "import os\n\n# Logs are deleted after 45 days.\nRETENTION_DAYS = 45",
            id="b",
            outputs=[new_output("stream", text="Logs are kept for 99 days.")],
        ),
        new_markdown_cell("---\n\n## Plans\n\n" + TABLE, id="c"),
    ],
)
nbformat.write(book, HERE / "notebook-4.ipynb")
nbformat.write(book, HERE / "notebook-3.ipynb", version=3)
