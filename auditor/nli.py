"""Natural language inference: how likely does one statement contradict the other, according to a cross-encoder.

No model is shipped. Any three-way sentence-transformers `CrossEncoder` works; which output means what is read from its
configuration, because models disagree about the order and a wrong guess turns "entailment" into "contradiction".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.embed.models import (
    ModelError,
    go_offline,
    missing_library,
    quiet,
    refuse_foreign_code,
    resolve_model,
    unloadable,
    weight_hashes,
)
from auditor.errors import UserError

BATCH = 32
STEMS = ("contradict", "entail", "neutral")


class CrossEncoderVerifier:
    """A cross-encoder read in both directions."""

    def __init__(self, name: str, device: str | None = None) -> None:
        """Load the model at a path, or with an id of the local cache.

        Raises `ModelError` if it is not there, `UserError` if its labels do not say which output is the contradiction.
        """
        self.id = name
        self._folder: Path = resolve_model(name)
        # Checked before torch is imported: a wrong model should fail in a moment.
        self._column = contradiction_column(read_config(self._folder), name)
        self._model = _load(self._folder, device)

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Shape (len(pairs), 2): probability of contradiction read forwards and backwards."""
        if not pairs:
            return np.zeros((0, 2), dtype=np.float32)
        both = [list(pair) for pair in pairs] + [[b, a] for a, b in pairs]
        logits = np.asarray(
            # Saved models may carry an activation of their own; the raw outputs make the softmax below the only one.
            self._model.predict(both, batch_size=BATCH, activation_fn=_identity(), convert_to_numpy=True, show_progress_bar=False),
            dtype=np.float64,
        )
        if logits.ndim != 2 or logits.shape[1] != len(STEMS):
            raise ModelError(f"The model {self.id} gives outputs of shape {logits.shape[1:]}, not three per pair.")
        return np.ascontiguousarray(softmax(logits)[:, self._column].reshape(2, len(pairs)).T.astype(np.float32))

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return weight_hashes(self._folder)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities along the last axis."""
    powers: NDArray[np.float64] = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return result


def read_config(folder: Path) -> dict[str, Any]:
    """The `config.json` of a model folder."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder / 'config.json'} cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise ModelError(f"{folder / 'config.json'} is not a model configuration.")
    return config


def contradiction_column(config: Mapping[str, Any], name: str) -> int:
    """The output that stands for contradiction, from `id2label`. Raises `UserError` if the labels do not say it."""
    raw = config.get("id2label")
    try:
        labels = {int(index): str(label) for index, label in raw.items()} if isinstance(raw, Mapping) else {}
    except ValueError:
        labels = {}
    advice = (
        "Needed is a model with the three labels contradiction, entailment and neutral. "
        "If you know the order of its outputs, write it as id2label into the model's config.json."
    )
    if not labels:
        raise UserError(f"The model {name} does not name its outputs (no id2label in config.json). {advice}")
    shown = ", ".join(f"{index}: {labels[index]}" for index in sorted(labels))
    if len(labels) == 1:
        raise UserError(f"The model {name} gives a single score ({shown}), not probabilities of contradiction. {advice}")
    if all(label.upper().startswith("LABEL_") for label in labels.values()):
        raise UserError(f"The model {name} does not say what its outputs mean ({shown}). {advice}")
    if len(labels) == 2:
        raise UserError(
            f"The model {name} has two outputs ({shown}): without neutral, unrelated pairs must count for one of them. {advice}"
        )
    found = {stem: [i for i, label in labels.items() if label.strip().lower().startswith(stem)] for stem in STEMS}
    if sorted(labels) != list(range(len(STEMS))) or any(len(columns) != 1 for columns in found.values()):
        raise UserError(f"The labels of the model {name} ({shown}) are not contradiction, entailment and neutral. {advice}")
    return found["contradict"][0]


def _identity() -> Any:
    from torch.nn import Identity

    return Identity()


def _load(folder: Path, device: str | None) -> Any:
    go_offline()
    refuse_foreign_code(folder)
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise missing_library(error) from error
    quiet()
    try:
        return CrossEncoder(str(folder), device=device, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise unloadable(folder, error) from error
