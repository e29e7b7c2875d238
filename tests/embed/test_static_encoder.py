from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from auditor.embed import get_encoder
from auditor.embed.models import STATIC_TABLE, ModelError, locate
from auditor.embed.static import StaticEncoder
from auditor.errors import UserError


def test_shape_type_and_length(static: StaticEncoder, sentences: list[str]) -> None:
    rows = static.encode(sentences)
    assert rows.shape == (len(sentences), 256)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows[:-1], axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("blank", ["", "  \n", "\u200b", "x" * 300])
def test_texts_without_known_tokens_are_zero(static: StaticEncoder, blank: str) -> None:
    rows = static.encode([blank, "a word"])
    assert not rows[0].any()
    assert rows[1].any()


def test_no_texts(static: StaticEncoder) -> None:
    assert static.encode([]).shape == (0, 256)


def test_related_closer_than_unrelated(static: StaticEncoder) -> None:
    related = [
        ("Unopened items may be returned within 30 days.", "You can return unopened items for 14 days."),
        ("Passwords must be changed every 90 days.", "Change your password at least every 180 days."),
        ("The warranty does not cover water damage.", "Damage by water is covered by the warranty."),
    ]
    left, right = (static.encode([pair[side] for pair in related]) for side in (0, 1))
    cosines = left @ right.T
    assert (cosines.argmax(axis=1) == np.arange(len(related))).all()
    assert np.diag(cosines).min() > cosines[~np.eye(len(related), dtype=bool)].max() + 0.2


def test_case_is_ignored(static: StaticEncoder) -> None:
    upper, lower = static.encode(["RETURN WINDOW", "return window"])
    assert (upper == lower).all()


def test_specials_in_the_text_are_text(static: StaticEncoder) -> None:
    assert static.encode(["[MASK]"]).any()


def test_vectors_do_not_depend_on_batch_or_run(
    static: StaticEncoder, sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = static.encode(sentences)
    assert (static.encode(sentences) == expected).all()
    assert (StaticEncoder().encode(sentences) == expected).all()
    assert (np.vstack([static.encode([s]) for s in sentences]) == expected).all()
    assert (static.encode(sentences[::-1])[::-1] == expected).all()
    for size in (1, 2, 7, 1000):
        monkeypatch.setattr("auditor.embed.static.BATCH", size)
        assert (static.encode(sentences) == expected).all()


def test_long_texts_are_cut(static: StaticEncoder) -> None:
    rows = static.encode(["warranty " * 512, "warranty " * 512 + "banana " * 512])
    assert (rows[0] == rows[1]).all()


def test_an_altered_table_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "table.safetensors"
    shutil.copy(locate(STATIC_TABLE), copy)
    assert StaticEncoder(copy).hashes() == {"static-minilm-256": STATIC_TABLE.sha256}
    content = bytearray(copy.read_bytes())
    content[-1000] ^= 1
    copy.write_bytes(content)
    with pytest.raises(ModelError, match="not the expected model file") as caught:
        StaticEncoder(copy)
    assert isinstance(caught.value, UserError)
    assert "\n" not in str(caught.value)


def test_a_missing_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        StaticEncoder(tmp_path / "nothing")
    monkeypatch.setattr("auditor.embed.models.package_folder", lambda package: tmp_path)
    with pytest.raises(ModelError, match="missing from the installed auditor"):
        get_encoder("static")


def test_table_is_small_enough_to_ship() -> None:
    assert locate(STATIC_TABLE).stat().st_size <= 8_000_000


def test_imports_nothing_heavy() -> None:
    code = (
        "import sys; from auditor.embed import get_encoder; get_encoder('static').encode(['one text']);"
        "loaded = {m.split('.')[0] for m in sys.modules};"
        "print(sorted(loaded & {'torch', 'transformers', 'sentence_transformers', 'onnxruntime', 'faiss'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_environment())
    assert done.stdout.strip() == "[]"


def _environment() -> dict[str, str]:
    import os

    root = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))}
