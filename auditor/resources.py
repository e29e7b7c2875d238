"""Where the data folders of the package are: `rules` and `reports`.

A wheel carries them inside the package; a checkout and an editable install keep them beside it, where people edit them.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Literal

from auditor.errors import UserError


def resource_dir(name: Literal["rules", "reports"]) -> Path:
    """The folder of data called `name`. Raises `UserError` when the installation lacks it."""
    package = Path(str(files("auditor")))
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise UserError(f"the installation is incomplete: there is no folder “{name}” in or beside {package}")
