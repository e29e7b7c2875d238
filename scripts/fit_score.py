"""Fit the confidence model: `python scripts/fit_score.py [BENCH] [--fine STORE]... [--screen]` writes the weights of `rules/score.toml`.

Instances are pairs of statements whose facts disagree, and near passages without comparable facts. From `tests/cases/pairs` the domains
named in FIT_DOMAINS are used; from each corpus in CORPORA the open half of the gold list (of those in WHOLE, both halves), where every
candidate that is not listed counts as no contradiction and everything that touches a sealed half is left out. A pair of statements may
disagree in several facts; it is represented by the one of the highest confidence, so fitting alternates between choosing
representatives and fitting weights (multiple-instance learning, Andrews et al. 2003).

Three tables are fitted, one for each look, each on the pairs that the look before lets through: `screen` (what costs nothing),
`weights` (better vectors, quick reader) and `close` (close reader). The logistic regression has L2 regularisation and signs fixed where
common sense demands it: more agreement on what is talked about never lowers the confidence, more difference in scope never raises it.
`screen` is fitted only with `--screen`: it knows nothing of the readers, and needs every comparison with every reading, which takes hours.

`--fine STORE` names documents that are well kept, so that every pair there counts as no contradiction but those that a `gold.jsonl` in
the folder calls one (copies of real documentation in which contradictions were planted). Invented organisations do not
describe twenty siblings of one kind, as the reference of a programming interface does.

`--leave-one-out` writes nothing: it fits without one source at a time and prints what the weights find in that source.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

from auditor import scan
from auditor.config import load_config
from auditor.embed import get_encoder
from auditor.evaluation.locate import Locator
from auditor.features import family
from auditor.looks import CLOSE as CLOSELY
from auditor.looks import QUICK
from auditor.model import Document, Statement
from auditor.pair import judge_pair
from auditor.rulepack import RulePack, load_rules

ROOT = Path(__file__).resolve().parent.parent
FIT_DOMAINS = ("health", "retail", "software", "hr", "finance", "public_bodies")
CORPORA = (
    "sample_corpus",
    "tests/corpora/harbour_city",
    "tests/corpora/lanternforge",
    "tests/corpora/fernhollow_clinics",
    "tests/corpora/tamarisk",
    "tests/corpora/marlow_line",
    "tests/corpora/gantry_cloud",
    "tests/corpora/emberhub",
    "tests/corpora/finchley",
    "tests/corpora/plumbline",
    "tests/corpora/sievebird",
    "tests/corpora/vantage_trace",
    "tests/corpora/sluice_data",
    "tests/corpora/fernside_vets",
)
WHOLE = (
    *("harbour_city", "tamarisk", "marlow_line", "gantry_cloud", "emberhub", "finchley"),
    *("plumbline", "sievebird", "vantage_trace", "sluice_data", "fernside_vets"),
)
FAMILIES = ("value", "clause", "text")
CLOSE = {"closely", "closely_differ", "closely_agree", "closely_chance", "closely_same", "closely_behind"}
MARKERS = {"reads", "closely", "is_text"}  # constant where they occur
LATER = CLOSE | {
    "reads",
    "agrees",
    "set_apart",
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
    "closely_differ",
    "closely_chance",
    "closely_same",
    "near_context",
    "words",
    "numbers_differ",
    "negated",
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
    "object",
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
    "closely_behind",
    "behind",
    "numbers_equal",
    "set_apart",
    "agrees",
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
CUTS = (0.3, 0.5, 0.65, 0.8, 0.9)
THIN = 8  # of the unlabelled pairs that a look would drop anyway, every so many is kept, and counts so many times
Item: TypeAlias = tuple[str, dict[str, float]]
Tables: TypeAlias = dict[str, dict[str, float]]


class Instance:
    """A pair, or all pairs that answer to one contradiction: `bag` holds (family, features) of every comparison in it."""

    def __init__(self, bag: list[Item], label: int, weight: float, name: str, source: str) -> None:
        self.bag, self.label, self.weight, self.name, self.source = bag, label, weight, name, source


def unread(rules: RulePack) -> RulePack:
    """The same rules, but nothing is read beyond what the second look reads."""
    reading = rules.score.reading.model_copy(update={"open_floor": 0.999, "close_floor": 0.999})
    return replace(rules, score=rules.score.model_copy(update={"reading": reading, "close": rules.score.weights}))


def loose(rules: RulePack) -> RulePack:
    """Unread, and with a cut so low that every comparison comes back with its features."""
    tiers = rules.score.tiers.model_copy(update={"advisory": 1e-15})
    low = unread(rules)
    return replace(low, score=low.score.model_copy(update={"tiers": tiers, "screen_floor": 0.0, "screen_many": 10**9}))


def reading_all(rules: RulePack) -> RulePack:
    """The same, but every pair is read by both readers."""
    reading = rules.score.reading.model_copy(update={"open_floor": 0.0, "close_floor": 0.0})
    return replace(rules, score=rules.score.model_copy(update={"reading": reading}))


def as_scanned(rules: RulePack) -> RulePack:
    """Unread, with the bounds of a scan, and every comparison within them comes back with its features."""
    tiers = rules.score.tiers.model_copy(update={"advisory": 1e-15})
    low = unread(rules)
    return replace(low, score=low.score.model_copy(update={"tiers": tiers}))


def bag_of(findings: list, rejections: list) -> list[Item]:
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
                pair["text_a"], pair["text_b"], **context, rules=reading_all(loose(rules)), encoder=encoder, topic_encoder=topic
            )
            bag = bag_of(findings, rejections)
            if bag:
                out.append(Instance(bag, int(pair["label"] == "contradiction"), 2.0, pair["id"], "pairs"))
    return out


class Corpus:
    """A scanned corpus with labelled pairs; its instances gain features as the looks get dearer."""

    def __init__(self, rules: RulePack, folder: Path, cache: Path | None, whole: bool = False) -> None:
        whole = whole or folder.name in WHOLE
        kept = None if cache is None else cache / folder.name
        options = scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1), cache=kept)
        self.audit = scan.analyse(options, rules=rules)
        self.name = folder.name
        self.labels: dict[tuple[int, int], tuple[int, str]] = {}
        sealed: set[int] = set()
        at = finder(self.audit.documents, self.audit.statements)
        gold_list = folder / "gold.jsonl"
        for line in gold_list.read_text().splitlines() if gold_list.is_file() else ():  # without one, all is fine
            gold = json.loads(line)
            left, right = at(gold["doc_a"], gold["quote_a"]), at(gold["doc_b"], gold["quote_b"])
            real = gold["label"] == "contradiction"
            for pair in {(min(i, j), max(i, j)) for i in left for j in right if i != j}:
                if gold["split"] == "sealed" and not whole:
                    self.labels[pair] = (-1, gold["id"])
                elif self.labels.get(pair, (0, ""))[0] == 0:
                    self.labels[pair] = (int(real), gold["id"])
            if gold["split"] == "sealed" and not whole and real:
                sealed.update(left, right)
        looks, audit = self.audit.looks, self.audit
        opened = set(looks.second.pairs)
        near = looks.near_passages()
        labelled = [p for p in self.labels if p not in opened]
        pairs = sorted(opened | set(near) | set(labelled))
        self.bags: dict[tuple[int, int], list[Item]] = {}
        for i, j in pairs:
            label = self.labels.get((i, j), (0, ""))[0]
            if label < 0 or (not label and i in sealed and j in sealed):
                continue
            found, refused = audit.judge(i, j)  # nothing is read here but what the second look has read
            bag = bag_of(found, refused)
            if bag:
                self.bags[i, j] = bag

    def read(self, pairs: list[tuple[int, int]], prefix: str) -> None:
        """Give these pairs the features of a reader."""
        looks = self.audit.looks
        readings = looks.quick if prefix == QUICK else looks.close
        rounds = {pair: int(self.bags[pair][0][0] == "text") for pair in pairs}
        for number in (0, 1):
            readings.add([p for p in pairs if rounds[p] == number], rivals=number)
        for pair in pairs:
            own = {k: round(v, 4) for k, v in readings.features(*pair, prefix, rounds[pair]).items() if v}
            if prefix == QUICK:
                own |= looks.typed_features(*pair)
            for _, features in self.bags[pair]:
                features.update(own)

    def instances(self) -> list[Instance]:
        """One instance for every labelled contradiction, and one for every other pair."""
        groups: dict[str, list[Item]] = {}
        out = []
        for pair, bag in self.bags.items():
            label, name = self.labels.get(pair, (0, ""))
            if label:
                groups.setdefault(name, []).extend(bag)
            else:
                out.append(Instance(bag, 0, 2.0 if name else 1.0, name or f"{self.name}:{pair[0]}-{pair[1]}", self.name))
        return [Instance(bag, 1, 3.0, name, self.name) for name, bag in groups.items()] + out


def finder(documents: Sequence[Document], statements: Sequence[Statement]) -> Callable[[str, str], list[int]]:
    """A function that gives the places in `statements` of those that a quote from a document touches."""
    by_document: dict[str, list[int]] = {}
    for i, s in enumerate(statements):
        by_document.setdefault(s.doc_id, []).append(i)
    locators = {d.doc_id: Locator(d.text) for d in documents}

    def at(doc: str, quote: str) -> list[int]:
        spans = locators[doc].find(quote) if doc in locators else []
        held = ((i, statements[i]) for i in by_document.get(doc, []))
        return [i for i, s in held if any(s.start < end and start < s.end for start, end in spans)]

    return at


def from_judgements(rules: RulePack, bench: Path, cache: Path | None) -> list[Instance]:
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
        options = scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1), cache=cache and cache / corpus)
        bounded = rules.score.model_copy(update={"screen_floor": 0.01, "screen_many": 2000})  # these trees are large
        audit = scan.analyse(options, rules=replace(rules, score=bounded))
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
                out.append(Instance(bag, int("REAL" in found), 3.0, f"{corpus}:{doc_a}:{line_a}-{doc_b}:{line_b}", "public trees"))
    print(f"judged: {len(out)} instances, {sum(i.label for i in out)} contradictions", file=sys.stderr)
    return out


def score(weights: dict[str, float], item: Item) -> float:
    prefix, features = item
    return weights.get(f"{prefix}.intercept", 0.0) + sum(weights.get(f"{prefix}.{k}", 0.0) * v for k, v in features.items())


def probability(weights: dict[str, float], bag: Sequence[Item]) -> float:
    return max(1 / (1 + math.exp(-max(-30.0, min(30.0, score(weights, b))))) for b in bag)


def fit_family(prefix: str, instances: Sequence[Instance], weights: dict[str, float], hidden: set[str]) -> dict[str, float]:
    rows, labels, importance = [], [], []
    for item in instances:
        bag = [b for b in item.bag if b[0] == prefix]
        if not bag:
            continue
        rows.append(max(bag, key=lambda b: score(weights, b))[1])
        labels.append(item.label)
        importance.append(item.weight)
    names = sorted({k for r in rows for k in r if k not in hidden and k not in MARKERS})
    matrix = np.array([[r.get(n, 0.0) for n in names] for r in rows])
    y, w = np.array(labels, float), np.array(importance, float)
    if not y.any():
        return {}

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
    start = np.array([0.0, *(AT_MOST.get(n, 0.0) for n in names)])
    result = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 500})
    fitted = {f"{prefix}.intercept": result.x[0]} | {f"{prefix}.{n}": v for n, v in zip(names, result.x[1:], strict=True)}
    return {k: round(float(v), 3) for k, v in fitted.items() if abs(v) > 0.0005 or k.endswith("intercept")}


def fit_table(instances: Sequence[Instance], hidden: set[str], needed: str = "") -> dict[str, float]:
    """Weights without the hidden features, from comparisons that have the needed one."""
    chosen = [
        Instance(bag, i.label, i.weight, i.name, i.source)
        for i in instances
        if (bag := [b for b in i.bag if not needed or needed in b[1] or (needed == "reads" and b[0] != "text")])
    ]
    current = {
        f"{p}.{k}": v
        for p in FAMILIES
        for k, v in {
            "attribute": 3.0,
            "everything": 2.0,
            "similarity": 2.0,
            "head": 1.0,
            "strength": 1.0,
            "near_context": 4.0,
        }.items()
    }
    for _ in range(ROUNDS):
        current = {k: v for prefix in FAMILIES for k, v in fit_family(prefix, chosen, current, hidden).items()}
    return current


def thinned(instances: Sequence[Instance], weights: dict[str, float], below: float) -> list[Instance]:
    """Of the unlabelled pairs that these weights think hopeless, every so many, which then counts so many times."""
    kept = []
    for n, item in enumerate(instances):
        hopeless = item.label == 0 and item.weight == 1.0 and probability(weights, item.bag) < below
        if hopeless and n % THIN:
            continue
        kept.append(Instance(item.bag, item.label, float(THIN), item.name, item.source) if hopeless else item)
    return kept


def fit(
    corpora: Sequence[Corpus], others: Sequence[Instance], rules: RulePack, screen: dict[str, float] | None
) -> tuple[Tables, list[Instance]]:
    """All three tables, the first as given, or fitted as well where `screen` is None.

    What a look lets through is read by the next while fitting goes on, so that each is fitted on what it will see.
    """

    def all_instances() -> list[Instance]:
        return [*others, *(i for c in corpora for i in c.instances())]

    tables = {"screen": fit_table(every_so_many(all_instances()), LATER) if screen is None else screen}
    for corpus in corpora:
        read_quickly(corpus, tables, rules)
    tables["weights"] = fit_table(thinned(all_instances(), tables["screen"], 0.02), CLOSE, "reads")
    for corpus in corpora:
        read_closely(corpus, tables, rules)
    tables["close"] = fit_table(all_instances(), set(), "closely")
    return tables, all_instances()


def read_quickly(corpus: Corpus, tables: Tables, rules: RulePack) -> None:
    """Have the quick reader read the near passages that the first table lets through."""
    bounds = rules.score.reading
    most = max(bounds.open_least, bounds.open_share * len(corpus.audit.statements))
    _let_through(corpus, tables["screen"], ("text",), bounds.open_floor, most, QUICK)


def read_closely(corpus: Corpus, tables: Tables, rules: RulePack) -> None:
    """Have the close reader read what the second table lets through."""
    bounds = rules.score.reading
    most = max(bounds.close_least, bounds.close_share * len(corpus.audit.statements))
    for families in (FAMILIES[:2], FAMILIES[2:]):  # as a scan does: typed pairs and near passages have a bound each
        _let_through(corpus, tables["weights"], families, bounds.close_floor, most, CLOSELY)


def every_so_many(instances: Sequence[Instance]) -> list[Instance]:
    """Of the unlabelled near passages every so many."""
    return thinned(instances, {"text.intercept": -20.0, "value.intercept": 20.0, "clause.intercept": 20.0}, 0.5)


def _let_through(
    corpus: Corpus, weights: dict[str, float], families: Sequence[str], floor: float, most: float, prefix: str
) -> None:
    ranked = []
    for pair, bag in corpus.bags.items():
        if bag[0][0] in families and (bag[0][0] != "text" or prefix == QUICK or "reads" in bag[0][1]):
            sure = probability(weights, bag)
            if sure >= floor:
                ranked.append((-sure, pair))
    chosen = [pair for _, pair in sorted(ranked)[: round(most)]]
    corpus.read([p for p in chosen if prefix not in corpus.bags[p][0][1]], prefix)


def final(tables: Tables, item: Instance) -> float:
    """Confidence by the last look that each comparison of the instance got."""
    return max(
        probability(
            tables["close"] if "closely" in b[1] else tables["weights"] if b[0] != "text" or "reads" in b[1] else tables["screen"],
            [b],
        )
        for b in item.bag
    )


def report(tables: Tables, instances: Sequence[Instance], sources: Sequence[str]) -> None:
    """What the tables find in each source."""
    print("| source | average precision | " + " | ".join(f"at {cut}: found, precision" for cut in CUTS) + " |")
    print("|---|---|" + "---|" * len(CUTS))
    for source in sources:
        chosen = [(final(tables, i), i.label) for i in instances if i.source == source]
        wanted = sum(label for _, label in chosen)
        cells = []
        for cut in CUTS:
            right, wrong = sum(p >= cut and label for p, label in chosen), sum(p >= cut and not label for p, label in chosen)
            cells.append(f"{right} of {wanted}, {right / max(right + wrong, 1):.2f}")
        print(f"| {source} | {average_precision(chosen):.2f} | {' | '.join(cells)} |", flush=True)


def average_precision(scored: Sequence[tuple[float, int]]) -> float:
    """Mean of the precision at every contradiction, the surest first."""
    right, total = 0, 0.0
    for n, (_, label) in enumerate(sorted(scored, key=lambda item: -item[0]), start=1):
        if label:
            right += 1
            total += right / n
    return total / max(right, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the confidence model.")
    parser.add_argument("bench", type=Path, nargs="?", help="folder that holds field/<tree>/docs")
    parser.add_argument("--leave-one-out", action="store_true", help="print what weights find in a source they were not fitted on")
    parser.add_argument(
        "--fine",
        type=Path,
        action="append",
        default=[],
        help="folder of documents that hold no contradiction but those of its gold.jsonl, if it has one",
    )
    parser.add_argument("--instances", type=Path, help="file to keep what was fitted on in, for scripts/ablation.py")
    parser.add_argument("--screen", action="store_true", help="fit the first table, too")
    parser.add_argument("--cache", type=Path, help="folder in which vectors and readings are kept for the next fit")
    args = parser.parse_args()
    shipped = load_rules()
    rules = loose(shipped) if args.screen else as_scanned(shipped)
    corpora = []
    for folder in [*(ROOT / name for name in CORPORA), *args.fine]:
        corpora.append(Corpus(rules, folder, args.cache))
        print("scanned", folder.name, file=sys.stderr)
    others = from_pairs(rules) + (from_judgements(rules, args.bench, args.cache) if args.bench else [])
    tables, instances = fit(corpora, others, shipped, None if args.screen else dict(shipped.score.screen))
    if args.instances:
        args.instances.write_bytes(pickle.dumps((tables, [(i.bag, i.label, i.weight, i.name, i.source) for i in instances])))
    sources = list(dict.fromkeys(i.source for i in instances))
    if args.leave_one_out:
        for source in sources:
            rest = [i for i in instances if i.source != source]
            report(
                {
                    "screen": tables["screen"],
                    "weights": fit_table(thinned(rest, tables["screen"], 0.02), CLOSE, "reads"),
                    "close": fit_table(rest, set(), "closely"),
                },
                instances,
                [source],
            )
        return
    report(tables, instances, sources)
    path = ROOT / "rules/score.toml"
    text = path.read_text()
    parts = [text[: text.index("[screen]")]]
    for name, table in tables.items():
        lines = [f'"{k}" = {v}' for k, v in sorted(table.items())]
        parts.append(f"[{name}]\n# Fitted by scripts/fit_score.py; do not edit by hand.\n" + "\n".join(lines) + "\n")
    path.write_text(parts[0] + "\n".join(parts[1:]))
    for name, table in tables.items():
        floor = sorted(probability(table, i.bag) for i in instances if i.label and (name != "close" or "closely" in i.bag[0][1]))
        print(f"{name}: lowest of the contradictions:", [round(p, 4) for p in floor[:12]], file=sys.stderr)


if __name__ == "__main__":
    main()
