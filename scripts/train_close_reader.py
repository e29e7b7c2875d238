"""Train the close reader: `python scripts/train_close_reader.py --base FOLDER [--bench BENCH] [--out FILE.onnx]`.

    pip install onnx==1.23.2
    python scripts/train_close_reader.py --base all-mpnet-base-v2 --out auditor/embed/data/close-reader-int8.onnx

FOLDER holds all-mpnet-base-v2 (Apache License 2.0, a sentence-transformers folder). Its lower nine layers are trained further as a
cross-encoder in three phases: on the fact families, as the quick reader is; then on the families and nine corpora with planted
contradictions; then on the families and thirteen. Of a corpus it is shown every listed contradiction (several times an epoch), every
look-alike, and pairs nobody listed that the model of the phase before finds suspicious, with some that it does not. Unlisted pairs and
look-alikes count as "not different": whether they agree or have nothing to do with each other is not known.

Corpora on which the confidence model is fitted or figures are reported (`tests/corpora/README.md`) are not read here. Takes about 80
minutes on two cores with bfloat16 instructions. The file that ships came from these steps run one by one, with the mined pairs of the
first counted as unrelated; the script as a whole has not been run to its end. Another machine gives slightly different numbers; `auditor/embed/models.py` pins the
sha256 of the file that ships.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from auditor.embed import models
from auditor.embed.reader import DIFFER, MAX_TOKENS, reading
from auditor.rulepack import load_rules
from scripts import fit_score
from scripts.train_reader import NOT_DIFFER, ROOT, Phase, Trainer

LAYERS, FROZEN = 9, 2
NINE = ("quillmesh", "aldermere", "brandt_pumps", "pellucid", "stonewren", "norvale", "helixford", "westbrook", "larkspur")
THIRTEEN = (*NINE, "siltbase", "carrow_agency", "hallam_build", "st_brannoc")
SEPARATOR = 2


@dataclass(frozen=True)
class Step:
    """A phase and the pairs of corpora that it reads besides: how often a contradiction and a look-alike is shown, how many unlisted
    pairs the model is asked about, from which probability on one is kept, and how many others are."""

    phase: Phase
    corpora: Sequence[str] = ()
    contradictions: int = 0
    lookalikes: int = 0
    asked: int = 0
    suspicious: float = 0.0
    others: int = 0
    mined: float = 1.0  # share of the mined pairs of the quick reader


STEPS = (
    Step(Phase("*.jsonl", 1, 4e-5, 0.25, 7, 4, 0, related=0.5)),
    Step(Phase("*.jsonl", 1, 3e-5, 0.05, 3, 2, 5, related=0.3), NINE, 4, 2, 13_000, 0.06, 1500, 0.5),
    Step(Phase("*.jsonl", 1, 4e-5, 0.03, 3, 2, 9, related=0.3), THIRTEEN, 5, 3, 14_000, 0.03, 2500, 0.4),
)


class CloseNet(nn.Module):
    """The lower layers of MPNet over both readings, the sides told apart by a learned vector; the head is that of the quick reader."""

    def __init__(self, folder: str) -> None:
        from transformers import MPNetModel

        super().__init__()
        self.bert = MPNetModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
        self.bert.encoder.layer = self.bert.encoder.layer[:LAYERS]
        width = self.bert.config.hidden_size
        self.side = nn.Embedding(2, width)
        nn.init.zeros_(self.side.weight)
        self.dense = nn.Linear(5 * width, width)
        self.out = nn.Linear(width, 3)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("places", torch.arange(2, MAX_TOKENS + 2)[None], persistent=False)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None) -> torch.Tensor:
        """Logits of shape (pairs, 3). Without a mask all tokens count."""
        length = input_ids.shape[1]
        ends = (input_ids == SEPARATOR).long()
        mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        side = ((ends.cumsum(1) - ends) >= 1).long() * mask
        embeddings = self.bert.embeddings
        states = embeddings.LayerNorm(
            embeddings.word_embeddings(input_ids) + embeddings.position_embeddings(self.places[:, :length])
        )
        states = embeddings.dropout(states) + self.side(side)
        bias = self.bert.encoder.compute_position_bias(states)
        hidden = None if attention_mask is None else (1 - mask[:, None, None, :].to(states.dtype)) * -1e9
        for layer in self.bert.encoder.layer:
            states = layer(states, hidden, bias)[0]
        states = states.float()
        left, right = (mask * (1 - side)).unsqueeze(-1).float(), (mask * side).unsqueeze(-1).float()
        a = (states * left).sum(1) / left.sum(1).clamp(min=1)
        b = (states * right).sum(1) / right.sum(1).clamp(min=1)
        together = torch.cat([states[:, 0], a + b, (a - b).abs(), a * b * 4, (states * (left + right)).amax(1)], -1)
        logits: torch.Tensor = self.out(self.drop(nn.functional.gelu(self.dense(together))))
        return logits


class CloseTrainer(Trainer):
    """The same training for the larger model."""

    def __init__(self, folder: str) -> None:
        from transformers import AutoTokenizer

        models.go_offline()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = CloseNet(folder)
        frozen = [self.model.bert.embeddings, *self.model.bert.encoder.layer[:FROZEN]]
        for part in frozen:
            for parameter in part.parameters():
                parameter.requires_grad = False

    def step(self, step: Step, bench: Path | None) -> None:
        """One phase, with the pairs of its corpora as the model sees them now."""
        random.seed(step.phase.seed)
        mined = [(a, b, NOT_DIFFER) for a, b in self.mine(bench) if random.random() < step.mined]
        self.run(step.phase, mined + self.corpus_pairs(step))

    def corpus_pairs(self, step: Step) -> list[tuple[str, str, int]]:
        """Labelled pairs of the step's corpora."""
        rules = fit_score.loose(load_rules())
        listed: list[tuple[str, str, int]] = []
        unlisted: list[tuple[str, str]] = []
        for name in step.corpora:
            corpus = fit_score.Corpus(rules, ROOT / "tests/corpora" / name, None, whole=True)
            for pair in corpus.bags:
                texts = tuple(reading(corpus.audit.statements[i]) for i in pair)
                label = corpus.labels.get(pair)
                if label is None:
                    unlisted.append((texts[0], texts[1]))
                else:
                    times, kind = (step.contradictions, DIFFER) if label[0] else (step.lookalikes, NOT_DIFFER)
                    listed += [(texts[0], texts[1], kind)] * times
        asked = random.sample(unlisted, min(step.asked, len(unlisted)))
        scored = list(zip(asked, self.differ(asked), strict=True))
        kept = [pair for pair, p in scored if p > step.suspicious]
        kept += [pair for pair, p in scored if p <= step.suspicious][: step.others]
        return listed + [(a, b, NOT_DIFFER) for a, b in kept]

    def export(self, out: Path) -> None:
        """Write the model as int8 ONNX and print its sha256.

        The second matrices of the feed-forward blocks see a few very large inputs, which one scale for all of them would drown: these
        are quantised block by block (correlation of the answers with those of the full model .994 instead of .962).
        """
        import onnx
        from onnxruntime.quantization import QuantType, quantize_dynamic
        from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

        self.model.eval()
        ids = torch.tensor([self.tokenizer("Shop FAQ: within 14 days", "Returns: you have a month")["input_ids"]])
        with tempfile.TemporaryDirectory() as folder:
            full, part = Path(folder) / "full.onnx", Path(folder) / "part.onnx"
            torch.onnx.export(
                self.model,
                (ids,),
                str(full),
                input_names=["input_ids"],
                output_names=["logits"],
                dynamic_axes={"input_ids": {0: "pairs", 1: "tokens"}, "logits": {0: "pairs"}},
                opset_version=17,
                dynamo=False,
            )
            nodes = [n.name for n in onnx.load(str(full)).graph.node if n.op_type == "MatMul"]
            apart = [n for n in nodes if n.endswith("output/dense/MatMul") and "attention" not in n]
            quantize_dynamic(full, part, weight_type=QuantType.QInt8, per_channel=True, nodes_to_exclude=apart)
            blocks = MatMulNBitsQuantizer(onnx.load(str(part)), bits=8, block_size=128, is_symmetric=True, accuracy_level=4)
            blocks.process()
            blocks.model.save_model_to_file(str(out), False)
        print(out, hashlib.sha256(out.read_bytes()).hexdigest())


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the close reader and write it as int8 ONNX.")
    parser.add_argument("--base", required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--out", type=Path, default=ROOT / "auditor" / models.CLOSE_READER.path)
    parser.add_argument("--bench", type=Path, help="folder that holds field/<tree>/docs")
    parser.add_argument("--quick", action="store_true", help="a few pairs only, to see that it runs")
    given = parser.parse_args()
    trainer = CloseTrainer(given.base)
    for step in STEPS:
        if given.quick:
            small = replace(step.phase, files="f1.jsonl", related=0.01, unrelated=1, across=0)
            step = replace(step, phase=small, corpora=step.corpora[:1], asked=20, mined=0.0)
        trainer.step(step, given.bench)
    trainer.export(given.out)


if __name__ == "__main__":
    main()
