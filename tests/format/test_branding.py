"""The head of a report: what `[report]` of the configuration may say."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from auditor.config import ReportSettings, load_config
from auditor.errors import UserError
from auditor.format.branding import LOGO_LIMIT, load_branding

PNG = b"\x89PNG\r\n\x1a\n" + b"rest"
JPEG = b"\xff\xd8\xff" + b"rest"


def test_nothing_has_to_be_said(tmp_path: Path) -> None:
    branding = load_branding(tmp_path, ReportSettings())
    assert (branding.title, branding.customer, branding.logo) == ("", "", "")


@pytest.mark.parametrize(("data", "kind"), [(PNG, "image/png"), (JPEG, "image/jpeg")])
def test_a_logo_is_embedded_by_what_it_is_not_by_its_name(data: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "brand").mkdir()
    (tmp_path / "brand" / "logo.svg").write_bytes(data)
    branding = load_branding(tmp_path, ReportSettings(title="T", customer="C", logo="brand/logo.svg"))
    assert branding.logo == f"data:{kind};base64,{base64.b64encode(data).decode()}"
    assert (branding.title, branding.customer) == ("T", "C")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<svg onload=alert(1)>", "neither PNG nor JPEG"),
        (PNG + bytes(LOGO_LIMIT), "larger than 512 KiB"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_logo_is_refused(content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "logo.png").write_bytes(content)
    with pytest.raises(UserError, match=said):
        load_branding(tmp_path, ReportSettings(logo="logo.png"))


def test_a_logo_outside_the_corpus_is_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (corpus / "link.png").symlink_to(tmp_path / "secret.png")
    for name in ("../secret.png", str(tmp_path / "secret.png"), "link.png"):
        with pytest.raises(UserError, match="outside the corpus"):
            load_branding(corpus, ReportSettings(logo=name))
    with pytest.raises(UserError, match="no usable path"):
        load_branding(corpus, ReportSettings(logo="a\0b"))


def test_the_configuration_names_it_and_it_is_no_part_of_the_result(tmp_path: Path) -> None:
    plain = load_config(tmp_path).sha256
    (tmp_path / "audit.toml").write_text('[report]\ntitle = "Audit"\ncustomer = "Harbour"\n')
    config = load_config(tmp_path)
    assert (config.report.title, config.report.customer) == ("Audit", "Harbour")
    assert config.sha256 == plain
    (tmp_path / "audit.toml").write_text('[report]\ncostumer = "Harbour"\n')
    with pytest.raises(UserError, match=r"report\.costumer: unknown key; did you mean 'customer'"):
        load_config(tmp_path)
