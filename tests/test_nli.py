from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.embed.models import ModelError, go_offline
from auditor.errors import UserError
from auditor.nli import CrossEncoderVerifier, contradiction_column, softmax

WORDS = [
    "returns",
    "are",
    "accepted",
    "within",
    "14",
    "30",
    "days",
    "of",
    "delivery",
    "not",
    "the",
    "office",
    "is",
    "open",
    "closed",
]
ORDER = ("contradiction", "entailment", "neutral")
PAIRS = [
    ("Returns are accepted within 30 days", "Returns are accepted within 14 days of delivery"),
    ("The office is open", "The office is closed"),
    ("The office is open", "Returns are not accepted"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real cross-encoder with random weights, saved the way published ones are."""
    go_offline()
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    path = tmp_path_factory.mktemp("models") / "tiny-nli"
    vocab = {token: i for i, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocab),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=1.5,  # spread out, so that the outputs differ visibly
        id2label=dict(enumerate(ORDER)),
        label2id={label: i for i, label in enumerate(ORDER)},
    )
    BertForSequenceClassification(config).save_pretrained(path)
    (path / "vocab.txt").write_text("\n".join(vocab))
    BertTokenizerFast(vocab=vocab, do_lower_case=True, model_max_length=64).save_pretrained(path)
    return path


def relabelled(folder: Path, target: Path, labels: Sequence[str] | None, **more: Any) -> str:
    shutil.copytree(folder, target)
    config = json.loads((target / "config.json").read_text())
    config.pop("id2label")
    config.pop("label2id")
    if labels is not None:
        config["id2label"] = {str(i): label for i, label in enumerate(labels)}
        config["label2id"] = {label: i for i, label in enumerate(labels)}
    config.update(more)
    (target / "config.json").write_text(json.dumps(config))
    return str(target)


def expected(folder: Path, column: int) -> np.ndarray[Any, Any]:
    """The same read directly with transformers."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    rows = []
    with torch.no_grad():
        for a, b in PAIRS:
            rows.append(
                [model(**tokenizer(x, y, return_tensors="pt")).logits.softmax(-1)[0, column].item() for x, y in ((a, b), (b, a))]
            )
    return np.array(rows)


def test_both_directions(folder: Path) -> None:
    verifier = CrossEncoderVerifier(str(folder), device="cpu")
    answers = verifier.contradiction(PAIRS)
    assert answers.shape == (3, 2)
    assert answers.dtype == np.float32
    assert np.allclose(answers, expected(folder, 0), atol=1e-5)
    assert np.abs(answers[:, 0] - answers[:, 1]).max() > 1e-3, "the directions are told apart"
    swapped = verifier.contradiction([(b, a) for a, b in PAIRS])
    assert np.allclose(swapped, answers[:, ::-1], atol=1e-6)
    assert verifier.contradiction([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("labels", "column"),
    [
        (("entailment", "neutral", "contradiction"), 2),
        (("ENTAILMENT", "CONTRADICTION", "NEUTRAL"), 1),
        (("Contradict", "Neutral", "Entail"), 0),
    ],
)
def test_labels_decide_the_column(folder: Path, tmp_path: Path, labels: tuple[str, ...], column: int) -> None:
    verifier = CrossEncoderVerifier(relabelled(folder, tmp_path / "m", labels), device="cpu")
    assert np.allclose(verifier.contradiction(PAIRS), expected(folder, column), atol=1e-5)


def test_columns_differ(folder: Path) -> None:
    columns = [expected(folder, i) for i in range(3)]
    assert np.allclose(sum(columns), 1, atol=1e-5)
    assert all(np.abs(columns[i] - columns[j]).max() > 0.05 for i, j in ((0, 1), (0, 2), (1, 2)))


def test_an_activation_saved_with_the_model_is_not_applied_twice(folder: Path, tmp_path: Path) -> None:
    name = relabelled(folder, tmp_path / "m", ORDER, sentence_transformers={"activation_fn": "torch.nn.modules.activation.Sigmoid"})
    assert np.allclose(CrossEncoderVerifier(name, device="cpu").contradiction(PAIRS), expected(folder, 0), atol=1e-5)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "does not name its outputs"),
        (("LABEL_0", "LABEL_1", "LABEL_2"), "does not say what its outputs mean"),
        (("LABEL_0", "LABEL_1"), "does not say what its outputs mean"),
        (("LABEL_0",), "single score"),
        (("contradiction", "not_contradiction"), "two outputs"),
        (("entailment", "not_entailment"), "two outputs"),
        (("positive", "negative", "neutral"), "are not contradiction, entailment and neutral"),
        (("contradiction", "contradiction_b", "neutral"), "are not contradiction, entailment and neutral"),
        (("contradiction", "entailment", "neutral", "other"), "are not contradiction, entailment and neutral"),
    ],
)
def test_models_that_cannot_answer_are_refused(folder: Path, tmp_path: Path, labels: tuple[str, ...] | None, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        CrossEncoderVerifier(relabelled(folder, tmp_path / "m", labels))
    assert "id2label" in str(caught.value)


@pytest.mark.parametrize(
    "id2label", [{"0": "contradiction", "1": "entailment", "3": "neutral"}, {"a": "contradiction"}, ["contradiction"]]
)
def test_odd_label_maps_are_refused(id2label: object) -> None:
    with pytest.raises(UserError, match="model m"):
        contradiction_column({"id2label": id2label}, "m")


def test_a_missing_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no model folder"):
        CrossEncoderVerifier(str(tmp_path / "none"))


def test_a_broken_configuration_is_refused(tmp_path: Path) -> None:
    for content in ("{", "[]"):
        (tmp_path / "config.json").write_text(content)
        with pytest.raises(ModelError, match=r"config\.json"):
            CrossEncoderVerifier(str(tmp_path))


def test_missing_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    name = relabelled(folder, tmp_path / "m", ORDER)
    (tmp_path / "m" / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="cannot be loaded"):
        CrossEncoderVerifier(name)


def test_hashes_name_the_weights(folder: Path) -> None:
    found = CrossEncoderVerifier(str(folder), device="cpu").hashes()
    assert found == {"tiny-nli/model.safetensors": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()}


def test_softmax_survives_large_logits() -> None:
    assert np.allclose(softmax(np.array([[1000.0, 0.0, 0.0]])), [[1, 0, 0]])


def test_a_scan_reads_only_what_the_typed_detectors_left_open(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import date

    from auditor import free_text, scan
    from auditor.config import load_config

    (tmp_path / "a.md").write_text(
        "# Returns\n\nReturns are accepted within 30 days. The office must be staffed on the day of delivery.\n"
    )
    (tmp_path / "b.md").write_text(
        "# Shop\n\nReturns are accepted within 14 days. The office takes 2 hours on the day of delivery.\n"
    )
    options = scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1))
    without = scan.run(options)
    monkeypatch.setattr(free_text, "ADVISORY", 0.0)
    monkeypatch.setattr(free_text, "MIN_SIMILARITY", -1.0)
    audit = scan.run(replace(options, nli=str(folder)))
    read = [f for f in audit.findings if f.kind == "nli"]
    assert {(f.a, f.b) for f in read} == set(audit.left_open)
    assert audit.left_open
    assert [f for f in audit.findings if f.kind != "nli"] == without.findings
    assert all(f.tier in {"medium", "advisory"} for f in read)
    assert set(audit.result.model_hashes) > set(without.result.model_hashes)
