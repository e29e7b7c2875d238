from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from auditor.errors import UserError
from auditor.resources import resource_dir
from auditor.rulepack import PACKS, load_rules
from auditor.text.words import stem

SHIPPED = load_rules()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder; nothing is in it yet."""
    own = tmp_path / "our-rules"
    own.mkdir()
    return own


def copied(folder: Path, name: str) -> Path:
    path = folder / f"{name}.toml"
    shutil.copyfile(SHIPPED.origin[name], path)
    return path


def edited(folder: Path, name: str, old: str, new: str) -> Path:
    path = copied(folder, name)
    text = path.read_text(encoding="utf-8")
    assert old in text, "the shipped pack has changed: adapt the test"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def refusal(folder: Path) -> str:
    with pytest.raises(UserError) as raised:
        load_rules(folder)
    return str(raised.value)


# -- what is shipped ---------------------------------------------------------------------------------------------------------------


def test_shipped_packs_load() -> None:
    assert set(SHIPPED.origin) == set(PACKS) == {"units", "lexicon", "scope", "synonyms", "score"}
    assert all(path.is_file() for path in SHIPPED.origin.values())
    assert len(SHIPPED.sha256) == 64


def test_no_word_stands_in_two_modal_classes() -> None:
    modality = SHIPPED.lexicon.modality
    seen: dict[str, str] = {}
    for name in ("exemption", "prohibition", "obligation", "discouraged", "recommended", "permission"):
        for phrase in getattr(modality, name):
            assert seen.setdefault(phrase, name) == name, phrase
    assert set(modality.optional) <= set(modality.permission)


def test_modal_conflicts_name_known_classes() -> None:
    known = {"exemption", "prohibition", "obligation", "discouraged", "recommended", "permission", "optional"}
    assert {name for pair in SHIPPED.lexicon.modality.conflicts for name in pair} <= known


def test_no_word_is_both_positive_and_negative() -> None:
    status = SHIPPED.lexicon.status
    assert not set(status.positive) & set(status.negative)
    assert not set(SHIPPED.lexicon.direction.up) & set(SHIPPED.lexicon.direction.down)


def test_every_status_phrase_has_a_family() -> None:
    """A phrase that belongs to no family is never compared."""
    stems = {s for family in SHIPPED.lexicon.status.families.values() for s in family}
    phrases = (*SHIPPED.lexicon.status.positive, *SHIPPED.lexicon.status.negative)
    assert [p for p in phrases if not {stem(w) for w in p.replace("-", " ").split()} & stems] == []


def test_words_are_lower_case() -> None:
    """Texts are folded before they are looked up: a capital in a list would never match."""
    for slot in SHIPPED.scope.slots().values():
        assert [w for w in (*slot.words, *slot.same, *slot.same.values(), *slot.beside) if w != w.lower()] == []
    lexicon = SHIPPED.lexicon
    for words in (
        lexicon.status.positive,
        lexicon.status.negative,
        lexicon.direction.up,
        lexicon.direction.down,
        *lexicon.comparator.values(),
    ):
        assert [w for w in words if w != w.lower()] == []
    assert [w for group in SHIPPED.scope.contrast.sets for w in group if w != w.lower()] == []


def test_normal_forms_are_words_of_their_slot() -> None:
    for name, slot in SHIPPED.scope.slots().items():
        assert set(slot.same.values()) <= set(slot.words), name
        assert set(slot.same) <= set(slot.words), name
        assert set(slot.case_sensitive) <= set(slot.words), name


def test_synonym_groups_do_not_overlap() -> None:
    """A stem in two groups would silently join only one of them."""
    seen: dict[str, int] = {}
    shared = set()
    for i, group in enumerate(SHIPPED.synonyms.groups):
        for word in {stem(w.lower()) for w in group if " " not in w}:
            if seen.setdefault(word, i) != i:
                shared.add(word)
    if shared:
        pytest.xfail(f"known gap: {', '.join(sorted(shared))} stand in two groups, which become one")


def test_comparators_are_known() -> None:
    assert set(SHIPPED.lexicon.comparator) == {">=", "<=", ">", "<", "~"}


# -- folders of one's own ----------------------------------------------------------------------------------------------------------


def test_empty_folder_changes_nothing(folder: Path) -> None:
    assert load_rules(folder) == SHIPPED


def test_one_file_replaces_one_file(folder: Path) -> None:
    path = edited(folder, "score", "neighbours = 12", "neighbours = 7")
    own = load_rules(folder)
    assert own.score.blocking.neighbours == 7
    assert own.origin["score"] == path
    assert {n: p for n, p in own.origin.items() if n != "score"} == {n: p for n, p in SHIPPED.origin.items() if n != "score"}
    assert (own.units, own.lexicon, own.scope, own.synonyms) == (SHIPPED.units, SHIPPED.lexicon, SHIPPED.scope, SHIPPED.synonyms)
    assert own.sha256 != SHIPPED.sha256


def test_an_unchanged_copy_is_the_same_pack(folder: Path) -> None:
    copied(folder, "units")
    assert load_rules(folder).sha256 == SHIPPED.sha256


def test_own_words_take_effect(folder: Path) -> None:
    from auditor.extract.facts import Extractor
    from tests.extract.reading import statement

    edited(folder, "units", 'names = ["kilogram",', 'names = ["stone-weight", "kilogram",')
    (facts,) = Extractor(load_rules(folder)).extract_all([statement("It is 7 stone-weight.")])
    assert [(f.value.unit, f.value.low) for f in facts] == [("mass", (7.0,))]


def test_files_of_other_kinds_are_left_alone(folder: Path) -> None:
    (folder / "README.md").write_text("ours", encoding="utf-8")
    assert load_rules(folder) == SHIPPED


# -- what is refused ---------------------------------------------------------------------------------------------------------------


def test_missing_folder(tmp_path: Path) -> None:
    assert "no such folder" in refusal(tmp_path / "nowhere")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "units.toml"
    path.write_text("", encoding="utf-8")
    assert "no such folder" in refusal(path)


def test_unknown_file_name(folder: Path) -> None:
    (folder / "lexikon.toml").write_text("", encoding="utf-8")
    message = refusal(folder)
    assert str(folder / "lexikon.toml") in message
    assert "lexicon.toml" in message


def test_broken_toml_is_named_with_its_place(folder: Path) -> None:
    (folder / "score.toml").write_text('tiers = "open\n', encoding="utf-8")
    message = refusal(folder)
    assert message.startswith(f"{folder / 'score.toml'}: not valid TOML")
    assert "line 1" in message


def test_text_that_is_not_utf8(folder: Path) -> None:
    (folder / "score.toml").write_bytes(b'a = "\xff"\n')
    assert refusal(folder).startswith(f"{folder / 'score.toml'}: not valid TOML")


def shipped_line(key: str) -> str:
    """The line of the shipped score pack that sets a tier's cut: cuts move with every fit."""
    text = (resource_dir("rules") / "score.toml").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith(f"{key} = "))


BAD = [
    ("score", "neighbours = 12", 'neighbours = "many"', "blocking.neighbours", "integer"),
    ("score", "neighbours = 12", "neighbours = -1", "blocking.neighbours", "greater than or equal to 0"),
    ("score", "neighbours = 12", "neighbors = 12", "blocking.neighbo", ""),
    ("score", "max_group = 200", "max_group = 1", "blocking.max_group", "greater than or equal to 2"),
    ("score", "min_similarity = 0.2", "min_similarity = 2.0", "blocking.min_similarity", "less than or equal to 1"),
    ("score", shipped_line("medium"), "medium = 0.99", "tiers", "high must be above medium"),
    ("score", shipped_line("high"), "high = 1.8", "tiers.high", "less than or equal to 1"),
    ("score", "count = 0.0", "count = -0.1", "tolerance.count", "greater than or equal to 0"),
    ("score", "[tiers]", "[tears]", "t", ""),
    ("units", 'factor = 0.001\nnames = ["millisecond"', 'factor = 0\nnames = ["millisecond"', "unit.0.factor", "greater than 0"),
    ("units", 'names = ["second", ', 'names = ["minute", "second", ', "(top level)", "'minute' is defined twice"),
    ("units", 'symbols = ["ms"]', 'symbols = "ms"', "unit.0.symbols", "tuple"),
    ("units", 'symbols = ["ms"]', 'symbols = ["ms"]\ncolour = "red"', "unit.0.colour", "not permitted"),
    ("units", 'dimension = "duration"\nfactor = 0.001', "factor = 0.001", "unit.0.dimension", "required"),
    ("lexicon", "[negation]", "[negations]", "negation", ""),
    ("lexicon", "exemption = [", "exemptions = [", "modality.exemption", ""),
    ("lexicon", '["obligation", "prohibition"]', '["obligation"]', "modality.conflicts.0", ""),
    ("scope", "[platform]\nwords", "[platform]\nword", "platform.word", ""),
    ("scope", "one_sided = true", 'one_sided = "perhaps"', "one_sided", "boolean"),
    ("synonyms", "groups = [", "group = [", "group", ""),
]


@pytest.mark.parametrize(("name", "old", "new", "key", "reason"), BAD, ids=lambda v: v[:24] if isinstance(v, str) else None)
def test_bad_pack_is_refused_with_file_key_and_reason(folder: Path, name: str, old: str, new: str, key: str, reason: str) -> None:
    path = edited(folder, name, old, new)
    file, _, rest = refusal(folder).partition(f"{path}: ")
    assert file == ""
    found_key, _, found_reason = rest.partition(": ")
    assert key in found_key
    assert reason in found_reason
    assert found_reason


@pytest.mark.parametrize("name", PACKS)
def test_empty_pack_is_refused(folder: Path, name: str) -> None:
    (folder / f"{name}.toml").write_text("", encoding="utf-8")
    message = refusal(folder)
    assert f"{name}.toml: " in message
    assert "required" in message


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("lexicon", '["obligation", "prohibition"]', '["obligation", "prohibitoin"]'),
        ("lexicon", '">=" = [', '"=>" = ['),
        ("score", "count = 0.0", "cuont = 0.0"),
        ("scope", 'words = ["windows"', 'words = ["", "windows"'),
    ],
    ids=["unknown class", "unknown comparator", "unknown kind of fact", "empty word"],
)
def test_bad_values_that_load(folder: Path, name: str, old: str, new: str) -> None:
    """A spelling mistake here would silently switch a rule off, or on for every word."""
    edited(folder, name, old, new)
    try:
        load_rules(folder)
    except UserError:
        return
    pytest.xfail("known gap: such a pack is accepted")
