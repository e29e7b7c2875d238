"""Fit the confidence model: `python scripts/fit_score.py [BENCH]` writes the weights of `rules/score.toml`.

Instances are pairs of statements whose facts disagree. From `tests/cases/pairs` the domains named in FIT_DOMAINS are used; from
`sample_corpus` the open half of the gold list, where every candidate that is not listed counts as no contradiction and everything that
touches the sealed half is left out. A pair of statements may disagree in several facts; it is represented by the one of the highest
confidence, so fitting alternates between choosing representatives and fitting weights (multiple-instance learning, Andrews et al. 2003).

The logistic regression is fitted with L2 regularisation and with signs fixed where common sense demands it: more agreement on what is
talked about never lowers the confidence, more difference in scope never raises it.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from auditor import scan
from auditor.config import load_config
from auditor.embed import get_encoder
from auditor.evaluation.locate import Locator
from auditor.features import family
from auditor.pair import judge_pair
from auditor.rulepack import RulePack, load_rules

ROOT = Path(__file__).resolve().parent.parent
FIT_DOMAINS = ("health", "retail", "software", "hr", "finance", "public_bodies")
CORPORA = ("sample_corpus", "tests/corpora/harbour_city", "tests/corpora/lanternforge", "tests/corpora/fernhollow_clinics")
FAMILIES = ("value", "clause")
LATER = {
    "reads_differ",
    "reads_agree",
    "reads_chance",
    "reads_same",
    "reads_behind",
    "lead",
    "first",
    "soft",
    "soft_near",
    "topic",
    "topic_context",
    "rival",
    "agreed_elsewhere",
    "agree_all",
    "agree_words",
    "agree_near",
    "agree_contained",
}
POSITIVE = {
    "reads_differ",
    "reads_chance",
    "reads_same",
    "lead",
    "first",
    "soft",
    "soft_near",
    "agree_all",
    "agree_words",
    "agree_near",
    "agree_contained",
    "topic",
    "topic_context",
    "attribute",
    "contained",
    "near",
    "near_in_all",
    "shared_rare",
    "shared_many",
    "head",
    "context",
    "everything",
    "names_shared",
    "similarity",
    "strength",
    "per_equal",
    "row_equal",
    "column_equal",
    "length_ratio",
    "actor",
}
NEGATIVE = {
    "reads_behind",
    "only_named",
    "near_clash",
    "title_clash",
    "title_missing",
    "heading_clash",
    "siblings",
    "names_missing",
    "key_missing",
    "rival",
    "agreed_elsewhere",
    "both_differ",
    "names_clash",
    "bound_only",
    "per_missing",
    "only_plan",
    "only_platform",
    "only_environment",
    "only_region",
    "only_audience",
    "only_age",
    "only_cadence",
    "only_period",
    "scope_condition",
    "scope_exception",
    "scope_hard",
    "contrast",
    "same_list",
    "row_differs",
    "column_differs",
    "code",
    "example",
    "many_values",
    "same_section",
}
# What the design demands whatever the data: a scope that only one side states in its own sentence weighs against the pair.
AT_MOST = {"only_named": -1.2, "only_audience": -0.8, "only_age": -0.5, "only_plan": -0.5, "scope_exception": -0.5}
REGULARISATION = 0.6
ROUNDS = 4
THIN = 5


class Instance:
    def __init__(self, bag: list[tuple[str, dict[str, float]]], label: int, weight: float, name: str) -> None:
        self.bag, self.label, self.weight, self.name = bag, label, weight, name
        self.source = "field" if name.startswith("field:") else "pairs" if re.fullmatch(r"[a-z_]+-\d{3}", name) else "corpus"


def loose(rules: RulePack) -> RulePack:
    """The same rules with a cut so low that every comparison comes back with its features."""
    tiers = rules.score.tiers.model_copy(update={"advisory": 1e-15})
    return replace(rules, score=rules.score.model_copy(update={"tiers": tiers, "screen_floor": 0.0}))


def bag_of(findings: list, rejections: list) -> list[tuple[str, dict[str, float]]]:
    found = [(family(f.features), dict(f.features)) for f in findings if f.features]
    found += [(family(r.features), dict(r.features)) for r in rejections if r.features]
    return found


def from_pairs(rules: RulePack) -> list[Instance]:
    encoder, topic = get_encoder("static"), get_encoder("minilm")
    out = []
    for domain in FIT_DOMAINS:
        for line in (ROOT / "tests/cases/pairs" / f"{domain}.jsonl").read_text().splitlines():
            pair = json.loads(line)
            context = {k: pair.get(k) or "" for k in ("title_a", "title_b", "heading_a", "heading_b")}
            findings, rejections = judge_pair(
                pair["text_a"], pair["text_b"], **context, rules=rules, encoder=encoder, topic_encoder=topic
            )
            bag = bag_of(findings, rejections)
            if bag:
                out.append(Instance(bag, int(pair["label"] == "contradiction"), 2.0, pair["id"]))
    return out


def from_corpus(rules: RulePack, folder: Path) -> list[Instance]:
    options = scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1))
    audit = scan.analyse(options, rules=rules)
    by_doc: dict[str, list[int]] = {}
    for s in audit.statements:
        by_doc.setdefault(s.doc_id, []).append(s.index)

    locators = {d.doc_id: Locator(d.text) for d in audit.documents}

    def at(doc: str, quote: str) -> list[int]:
        spans = locators[doc].find(quote) if doc in locators else []
        return [
            i
            for i in by_doc.get(doc, [])
            if any(audit.statements[i].start < end and start < audit.statements[i].end for start, end in spans)
        ]

    positive: dict[tuple[int, int], str] = {}
    negative: dict[tuple[int, int], str] = {}
    sealed: set[int] = set()
    for line in (folder / "gold.jsonl").read_text().splitlines():
        gold = json.loads(line)
        left, right = at(gold["doc_a"], gold["quote_a"]), at(gold["doc_b"], gold["quote_b"])
        pairs = {(min(i, j), max(i, j)) for i in left for j in right if i != j}
        if gold["split"] == "sealed":
            if gold["label"] == "contradiction":
                sealed.update(left, right)
            for p in pairs:
                negative.pop(p, None)
            continue
        for p in pairs:
            (positive if gold["label"] == "contradiction" else negative)[p] = gold["id"]
    groups: dict[str, list[tuple[str, dict[str, float]]]] = {}
    out = []
    for (i, j), name in positive.items():
        groups.setdefault(name, []).extend(bag_of(*audit.judge(i, j)))
    out += [Instance(bag, 1, 3.0, name) for name, bag in groups.items() if bag]
    for (i, j), name in negative.items():
        bag = bag_of(*audit.judge(i, j))
        if bag and (i, j) not in positive:
            out.append(Instance(bag, 0, 2.0, name))
    for i, j in audit.candidates.pairs():
        if (i, j) in positive or (i, j) in negative or (i in sealed and j in sealed):
            continue
        bag = bag_of(*audit.judge(i, j))
        if bag:
            out.append(Instance(bag, 0, 1.0, f"{audit.statements[i].doc_id}:{i}-{audit.statements[j].doc_id}:{j}"))
    return thinned(out)


def thinned(instances: list[Instance]) -> list[Instance]:
    """Of the pairs that nobody labelled and that hardly anything speaks for, every fifth, which then counts five times."""
    kept = []
    for n, item in enumerate(instances):
        hopeless = item.label == 0 and item.weight == 1.0 and all(f.get("reads_differ", 0.0) < 0.05 for _, f in item.bag)
        if hopeless and n % THIN:
            continue
        if hopeless:
            item.weight = float(THIN)
        kept.append(item)
    return kept


def from_judgements(rules: RulePack, bench: Path) -> list[Instance]:
    """Findings on public documentation trees that were judged blind (docs/judgements), recomputed on the trees under `bench`."""
    judged: dict[str, list[dict]] = {}
    for path in sorted((ROOT / "docs/judgements").glob("*-open-trees*.jsonl")):
        for line in path.read_text().splitlines():
            item = json.loads(line)
            judged.setdefault(item["corpus"], []).append(item)
    out = []
    for corpus, items in sorted(judged.items()):
        folder = bench / "field" / corpus / "docs"
        if not folder.is_dir():
            continue
        audit = scan.analyse(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)), rules=rules)
        documents = {d.doc_id: d for d in audit.documents}
        at: dict[tuple[str, int], list[int]] = {}
        for s in audit.statements:
            at.setdefault((s.doc_id, documents[s.doc_id].line_at(s.start)), []).append(s.index)
        verdicts: dict[tuple, set[str]] = {}
        for item in items:
            verdicts.setdefault((item["doc_a"], item["line_a"], item["doc_b"], item["line_b"]), set()).add(item["verdict"])
        for (doc_a, line_a, doc_b, line_b), found in verdicts.items():
            if len(found) > 1 and "REAL" in found:
                continue  # the judges differ
            bag: list[tuple[str, dict[str, float]]] = []
            for i in at.get((doc_a, line_a), []):
                for j in at.get((doc_b, line_b), []):
                    if i != j and (min(i, j), max(i, j)) in audit.candidates:
                        bag += bag_of(*audit.judge(i, j))
            if bag:
                out.append(Instance(bag, int("REAL" in found), 3.0, f"field:{corpus}:{doc_a}:{line_a}-{doc_b}:{line_b}"))
    print(f"judged: {len(out)} instances, {sum(i.label for i in out)} contradictions", file=sys.stderr)
    return out


def score(weights: dict[str, float], item: tuple[str, dict[str, float]]) -> float:
    prefix, features = item
    return weights.get(f"{prefix}.intercept", 0.0) + sum(weights.get(f"{prefix}.{k}", 0.0) * v for k, v in features.items())


def fit_family(prefix: str, instances: list[Instance], weights: dict[str, float], *, screen: bool = False) -> dict[str, float]:
    rows, labels, importance = [], [], []
    for item in instances:
        bag = [b for b in item.bag if b[0] == prefix]
        if not bag:
            continue
        rows.append(max(bag, key=lambda b: score(weights, b))[1])
        labels.append(item.label)
        importance.append(item.weight)
    names = sorted({k for r in rows for k in r if not (screen and k in LATER)})
    matrix = np.array([[r.get(n, 0.0) for n in names] for r in rows])
    y, w = np.array(labels, float), np.array(importance, float)
    print(f"{prefix}: {len(rows)} instances, {int(y.sum())} contradictions, {len(names)} features", file=sys.stderr)

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        z = matrix @ theta[1:] + theta[0]
        p = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        value = -np.sum(w * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))) + REGULARISATION * np.sum(theta[1:] ** 2)
        error = w * (p - y)
        gradient = np.concatenate(([error.sum()], matrix.T @ error + 2 * REGULARISATION * theta[1:]))
        return value, gradient

    bounds = [(None, None)] + [
        (0, None) if n in POSITIVE else (None, AT_MOST.get(n, 0)) if n in NEGATIVE else (None, None) for n in names
    ]
    result = minimize(
        loss,
        np.array([0.0, *(AT_MOST.get(n, 0.0) for n in names)]),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 500},
    )
    fitted = {f"{prefix}.intercept": result.x[0]} | {f"{prefix}.{n}": v for n, v in zip(names, result.x[1:], strict=True)}
    return {k: round(float(v), 3) for k, v in fitted.items() if abs(v) > 0.0005 or k.endswith("intercept")}


def main() -> None:
    rules = loose(load_rules())
    bench = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    instances = (
        from_pairs(rules)
        + [instance for name in CORPORA for instance in from_corpus(rules, ROOT / name)]
        + (from_judgements(rules, bench) if bench else [])
    )
    weights: dict[str, float] = {
        f"{p}.{k}": v
        for p in FAMILIES
        for k, v in {"attribute": 3.0, "everything": 2.0, "similarity": 2.0, "head": 1.0, "strength": 1.0}.items()
    }
    tables: dict[str, dict[str, float]] = {}
    for name in ("screen", "weights"):
        current = weights
        for _ in range(ROUNDS):
            fitted: dict[str, float] = {}
            for prefix in FAMILIES:
                fitted |= fit_family(prefix, instances, current, screen=name == "screen")
            current = fitted
        tables[name] = current
    weights = tables["weights"]
    path = ROOT / "rules/score.toml"
    text = path.read_text()
    parts = [text[: text.index("[screen]")]]
    for name, table in tables.items():
        lines = [f'"{k}" = {v}' for k, v in sorted(table.items())]
        parts.append(f"[{name}]\n# Fitted by scripts/fit_score.py; do not edit by hand.\n" + "\n".join(lines) + "\n")
    path.write_text(parts[0] + "\n".join(parts[1:]))
    floor = sorted(max(score(tables["screen"], b) for b in i.bag) for i in instances if i.label)
    print("screen score of the contradictions, lowest five:", [round(1 / (1 + float(np.exp(-z))), 4) for z in floor[:5]])
    wrong = sorted(
        ((max(1 / (1 + np.exp(-score(weights, b))) for b in i.bag), i.name) for i in instances if not i.label), reverse=True
    )
    print("highest without label:", *(f"  {p:.2f} {name}" for p, name in wrong[:60]), sep="\n")
    for cut in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        for source in ("pairs", "corpus", "field"):
            chosen = [i for i in instances if i.source == source]
            hits = [(max(1 / (1 + np.exp(-score(weights, b))) for b in i.bag), i.label) for i in chosen]
            tp = sum(1 for p, label in hits if p >= cut and label)
            fp = sum(1 for p, label in hits if p >= cut and not label)
            print(
                f"{source} cut {cut}: precision {tp / max(tp + fp, 1):.3f} recall {tp / max(1, sum(label for _, label in hits)):.3f} ({tp} right, {fp} wrong)"
            )


if __name__ == "__main__":
    main()
