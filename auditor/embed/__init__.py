"""Encoders: texts to unit vectors."""

from __future__ import annotations

from auditor.embed.models import ModelError
from auditor.ports import Encoder

__all__ = ["ModelError", "get_encoder"]


def get_encoder(name: str) -> Encoder:
    """The encoder of this name.

    "static" (fast, for candidates), "minilm" (int8 on the CPU), "minilm-torch" (fp32), or the folder or cached id of any
    sentence-transformers model; a folder that is called like a built-in encoder is reached as "./static". Raises `ModelError`.
    """
    if name == "static":
        from auditor.embed.static import StaticEncoder

        return StaticEncoder()
    if name == "minilm":
        from auditor.embed.minilm import MiniLmEncoder

        return MiniLmEncoder()
    if name == "minilm-torch":
        from auditor.embed.minilm import MiniLmTorchEncoder

        return MiniLmTorchEncoder()
    if not name.strip():
        raise ModelError('The encoder name is empty. Use "static", "minilm", "minilm-torch", or a model folder.')
    from auditor.embed.external import ExternalEncoder

    return ExternalEncoder(name)
