"""What each part of the confidence model buys: `python scripts/ablation.py [BENCH] [--cache DIR]` prints a table.

The three tables are fitted as `fit_score.py` fits them, once whole and once without each group of features, and find what they can in
corpora that nothing was fitted on. A group that is missing is missing in the fit, too: others may take over what they share with it.
Which pairs are read by which model is decided by the whole tables throughout.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from auditor.rulepack import load_rules
from scripts import fit_score
from scripts.fit_score import CLOSE, LATER, ROOT, Corpus, Instance, Tables

UNSEEN = ("corvane", "kestrel_ops", "murmur_gateway", "orchard_lab")
GROUPS = {
    "close reader": r"closely.*",
    "quick reader": r"reads.*",
    "both readers": r"closely.*|reads.*",
    "what the value is a value of": (
        r"attribute|head|contained|strength|actor|words.*|key_missing|row_.*|column_.*|per_.*|basis|everything|similarity|length_ratio"
    ),
    "context: title, heading, place": (
        r"context|near_context|topic_context|heading.*|title.*|same_.*|siblings|near_in_all|shared_.*|code|example|row"
    ),
    "scope": r"only_.*|scope_.*|bound_only|contrast|set_apart|near_clash|names_.*",
    "vectors": r"near|topic|soft.*|similarity|near_context|topic_context|agree_.*",
    "rivals: other passages that fit better": r"rival|lead|first|behind|.*_behind|agreed_elsewhere",
}


def without(group: str, instances: Sequence[Instance]) -> list[Instance]:
    """The same instances without the features of a group."""
    gone = re.compile(GROUPS[group])
    kept = [
        [(family, {k: v for k, v in f.items() if k in fit_score.MARKERS or not gone.fullmatch(k)}) for family, f in i.bag]
        for i in instances
    ]
    return [Instance(bag, i.label, i.weight, i.name, i.source) for bag, i in zip(kept, instances, strict=True)]


def tables_of(instances: Sequence[Instance]) -> Tables:
    """All tables, fitted on these instances as `fit_score.fit` fits them, without reading anything more."""
    screen = fit_score.fit_table(fit_score.every_so_many(instances), LATER)
    return {
        "screen": screen,
        "weights": fit_score.fit_table(fit_score.thinned(instances, screen, 0.02), CLOSE, "reads"),
        "close": fit_score.fit_table(instances, set(), "closely"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Print what each part of the confidence model buys.")
    parser.add_argument("bench", type=Path, nargs="?", help="folder that holds field/<tree>/docs")
    parser.add_argument("--cache", type=Path, help="folder in which vectors and readings are kept for the next time")
    given = parser.parse_args()
    shipped = load_rules()
    rules = fit_score.loose(shipped)
    corpora = [Corpus(rules, ROOT / name, given.cache) for name in fit_score.CORPORA]
    others = fit_score.from_pairs(rules) + (fit_score.from_judgements(rules, given.bench, given.cache) if given.bench else [])
    tables, instances = fit_score.fit(corpora, others, shipped)
    unseen = [Corpus(rules, ROOT / "tests/corpora" / name, given.cache, whole=True) for name in UNSEEN]
    for corpus in unseen:
        fit_score.read_quickly(corpus, tables, shipped)
        fit_score.read_closely(corpus, tables, shipped)
    judged = [i for corpus in unseen for i in corpus.instances()]
    for i in judged:
        i.source = "unseen corpora"
    print("everything")
    fit_score.report(tables_of(instances), judged, ["unseen corpora"])
    for group in GROUPS:
        print(group)
        fit_score.report(tables_of(without(group, instances)), without(group, judged), ["unseen corpora"])


if __name__ == "__main__":
    main()
