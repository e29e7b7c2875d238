"""Encoders: texts to unit vectors."""

from __future__ import annotations

from auditor.embed.models import ModelError
from auditor.ports import Encoder

__all__ = ["ModelError", "get_encoder", "lasting_identity"]


def lasting_identity(encoder: str | Encoder) -> str:
    """Name under which vectors of this encoder may be kept from scan to scan, "" when they depend on what is encoded together.

    The built-in model is not loaded for it.
    """
    if encoder == "minilm":
        from auditor.embed.models import MINILM_INT8, MINILM_TOKENIZER

        return f"minilm {MINILM_INT8.sha256} {MINILM_TOKENIZER.sha256}"
    if isinstance(encoder, str) or not getattr(encoder, "alone", False):
        return ""
    return repr(sorted(encoder.hashes().items()))


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
