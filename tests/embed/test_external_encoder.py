from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from auditor.embed import get_encoder
from auditor.embed.external import ExternalEncoder
from auditor.embed.minilm import MiniLmTorchEncoder
from auditor.embed.models import MINILM_WEIGHTS, ModelError, go_offline, locate, looks_like_path, resolve_model


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache of the machine must not decide whether a test passes."""
    go_offline()
    import huggingface_hub.constants

    cache = str(tmp_path_factory.mktemp("hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", cache)


def test_a_folder_is_loaded(minilm_torch: MiniLmTorchEncoder, sentences: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "my-model"
    shutil.copytree(locate(MINILM_WEIGHTS).parent, folder)
    encoder = get_encoder(str(folder))
    assert isinstance(encoder, ExternalEncoder)
    assert encoder.id == str(folder)
    assert encoder.hashes() == {"my-model/model.safetensors": MINILM_WEIGHTS.sha256}
    few = [*sentences[:4], ""]
    assert np.allclose(encoder.encode(few), minilm_torch.encode(few), atol=1e-5)


@pytest.mark.parametrize("name", ["/no/such/folder", "./nothing", "~/no-such-model", "a/b/c"])
def test_a_missing_folder_is_named(name: str) -> None:
    with pytest.raises(ModelError, match="There is no model folder"):
        get_encoder(name)


@pytest.mark.parametrize("name", ["BAAI/bge-small-en", "all-mpnet-base-v2", "not an id!"])
def test_an_id_outside_the_cache_says_what_to_do(name: str) -> None:
    with pytest.raises(ModelError, match="nothing is downloaded here"):
        get_encoder(name)


def test_an_id_in_the_cache_is_found() -> None:
    import huggingface_hub.constants

    commit = "0" * 40
    repository = Path(huggingface_hub.constants.HF_HUB_CACHE) / "models--sentence-transformers--tiny"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit)
    (repository / "snapshots" / commit).mkdir(parents=True)
    (repository / "snapshots" / commit / "config.json").write_text("{}")
    assert resolve_model("tiny").samefile(repository / "snapshots" / commit)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"neither config\.json nor modules\.json"):
        get_encoder(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="cannot be loaded"):
        get_encoder(str(tmp_path))


def test_code_of_a_model_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('ran')")
    (tmp_path / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "mine.Model"}]')
    with pytest.raises(ModelError, match=r"mine\.Model.*not run"):
        get_encoder(str(tmp_path))
    (tmp_path / "modules.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        get_encoder(str(tmp_path))


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(ModelError, match="empty"):
        get_encoder(" ")


def test_ids_are_not_taken_for_paths() -> None:
    assert not looks_like_path("org/model")
    assert not looks_like_path("model")
    assert looks_like_path("C:\\models\\x")
