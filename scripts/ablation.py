"""What each part of the confidence model buys: `python scripts/fit_score.py [BENCH] --instances FILE`, then `python scripts/ablation.py FILE`.

The weights are fitted without the sources in HELD, once with all features and once without each group, and tried on those sources. What
is screened and what is read stays as it is, so a reader that is left out still chose the pairs.
"""

from __future__ import annotations

import argparse
import pickle
import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts import fit_score
from scripts.fit_score import CLOSE, Instance, Tables

HELD = ("plumbline", "sluice_data", "fernside_vets", "public trees")
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


def tables_of(instances: Sequence[Instance], screen: dict[str, float]) -> Tables:
    """The two later tables, fitted on these instances as `fit_score.fit` fits them."""
    return {
        "screen": screen,
        "weights": fit_score.fit_table(fit_score.thinned(instances, screen, 0.02), CLOSE, "reads"),
        "close": fit_score.fit_table(instances, set(), "closely"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Print what each part of the confidence model buys.")
    parser.add_argument("instances", type=Path, help="what scripts/fit_score.py --instances wrote")
    given = parser.parse_args()
    tables, kept = pickle.loads(given.instances.read_bytes())
    instances = [Instance(*item) for item in kept]
    learned = [i for i in instances if i.source not in HELD]
    tried = [Instance(i.bag, i.label, i.weight, i.name, "held out") for i in instances if i.source in HELD]
    print("everything")
    fit_score.report(tables_of(learned, tables["screen"]), tried, ["held out"])
    for group in GROUPS:
        print("without", group)
        fit_score.report(tables_of(without(group, learned), tables["screen"]), without(group, tried), ["held out"])


if __name__ == "__main__":
    main()
