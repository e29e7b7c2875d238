"""Train the close reader: `python scripts/train_close_reader.py --base FOLDER [--bench BENCH] [--stores STORE...] [--out FILE.onnx]`.

    pip install onnx==1.23.2 onnx-ir
    python scripts/train_close_reader.py --base all-mpnet-base-v2 --out auditor/embed/data/close-reader-int8.onnx

FOLDER holds all-mpnet-base-v2 (Apache License 2.0, a sentence-transformers folder). Its lower nine layers are trained further as a
cross-encoder: on the fact families, as the quick reader is, and then step by step on more and more corpora with planted contradictions
(`reader_data.Shown`), with the pairs that nobody listed chosen anew in each step by what the model then thinks of them. The last step but two
adds statements with a small edit (`reader_edits`), the last two real documentation (see `train_reader.py`). `--go-on` needs no FOLDER: it reads the weights back
from the file that ships and takes the last step.

Labels of corpora on which the confidence model is fitted or figures are reported (`tests/corpora/README.md`) are not read here. Takes about 150
minutes on two cores with bfloat16 instructions. The file that ships came from these steps run one by one, with the mined pairs of the
first counted as unrelated; the script as a whole has not been run to its end. Another machine gives slightly different numbers; `auditor/embed/models.py` pins the
sha256 of the file that ships.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from auditor.embed import models
from auditor.embed.reader import MAX_TOKENS, CloseReader
from scripts.reader_data import BEFORE, FIRST, NOT_DIFFER, ROOT, SECOND, TERSE, THIRD, Phase, Shown
from scripts.reader_weights import read_back
from scripts.train_reader import EDITED, LATER, PLANTED, STORES, Trainer, add_options

LAYERS, FROZEN = 9, 2
SEPARATOR = 2


STEPS = (
    Phase("[fgh]*.jsonl", 1, 4e-5, 0.25, 7, 4, 0, related=0.5, mined=1.0),
    Phase("[fgh]*.jsonl", 1, 3e-5, 0.05, 3, 2, 5, related=0.3, mined=0.5, shown=[Shown(FIRST[:9], 4, 2, 13_000, 0.06, 1500)]),
    Phase("[fgh]*.jsonl", 1, 4e-5, 0.03, 3, 2, 9, related=0.3, mined=0.4, shown=[Shown(FIRST, 5, 3, 14_000, 0.03, 2500)]),
    Phase(
        *("i[123].jsonl", 1, 3e-5, 0.1, 6, 3, 21),
        related=0.5,
        shown=[Shown(TERSE, 3, 2, 11_000, 0.03, 1500), Shown(FIRST, 1, 0, 2500, 0.03, 0)],
    ),
    Phase(
        *("i*.jsonl", 1, 4e-5, 0.1, 8, 4, 31),
        related=0.55,
        shown=[Shown(TERSE, 2, 2, 5000, 0.03, 300), Shown(SECOND, 4, 3, 13_600, 0.03, 900), Shown(FIRST, 1, 0, 3000, 0.03, 0)],
    ),
    Phase(
        *("i*.jsonl", 1, 4e-5, 0.03, 2, 1, 41),
        related=0.15,
        shown=[
            Shown(THIRD, 4, 3, 14_300, 0.03, 800),
            Shown(TERSE, 1, 1, 5000, 0.03, 0),
            Shown(SECOND, 2, 1, 13_600, 0.03, 0),
            Shown(FIRST, 1, 0, 3000, 0.03, 0),
        ],
    ),
    Phase(*("i*.jsonl", 1, 3e-5, 0.03, 1, 0, 61), related=0.03, shown=[Shown(BEFORE, 1, 1, 20_000, 0.03, 0, 2400)], edited=EDITED),
    STORES,
    LATER,
    PLANTED,
)
FROZEN_LATER = 4  # layers that are left as they are when training goes on


class CloseNet(nn.Module):
    """The lower layers of MPNet over both readings, the sides told apart by a learned vector; the head is that of the quick reader."""

    def __init__(self, folder: str | None) -> None:
        """`folder` holds all-mpnet-base-v2; without one the weights are still to be read (`read_back`)."""
        from transformers import MPNetConfig, MPNetModel

        super().__init__()
        if folder is None:
            shape = MPNetConfig(
                num_hidden_layers=LAYERS, layer_norm_eps=1e-5, max_position_embeddings=514, attn_implementation="eager"
            )
            self.bert = MPNetModel(shape, add_pooling_layer=False)
        else:
            self.bert = MPNetModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
            self.bert.encoder.layer = self.bert.encoder.layer[:LAYERS]
        width = self.bert.config.hidden_size
        self.side = nn.Embedding(2, width)
        nn.init.zeros_(self.side.weight)
        self.dense = nn.Linear(5 * width, width)
        self.out = nn.Linear(width, 3)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("bias", None, persistent=False)
        self.register_buffer("places", torch.arange(2, MAX_TOKENS + 2)[None], persistent=False)

    def fix_bias(self) -> None:
        """Compute the bias by distance once and for all, as the model is going to be exported."""
        width = self.bert.config.hidden_size
        with torch.no_grad():
            self.bias = self.bert.encoder.compute_position_bias(torch.zeros(1, MAX_TOKENS, width))

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
        bias = self.bert.encoder.compute_position_bias(states) if self.bias is None else self.bias[..., :length, :length]
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

    mined_as = NOT_DIFFER

    def __init__(self, folder: str | None) -> None:
        from transformers import PreTrainedTokenizerFast

        models.go_offline()
        words = models.verified(models.MPNET_TOKENIZER)
        self.tokenizer = PreTrainedTokenizerFast(
            tokenizer_file=str(words), bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="[UNK]", mask_token="<mask>"
        )
        self.model = CloseNet(folder)
        self.freeze(FROZEN)

    def freeze(self, layers: int) -> None:
        """Leave the embeddings and so many layers as they are."""
        for part in [self.model.bert.embeddings, *self.model.bert.encoder.layer[:layers]]:
            for parameter in part.parameters():
                parameter.requires_grad = False

    def export(self, out: Path) -> None:
        """Write the model as int8 ONNX and print its sha256.

        The second matrices of the feed-forward blocks see a few very large inputs, which one scale for all of them would drown: these
        are quantised block by block (correlation of the answers with those of the full model .994 instead of .962).
        """
        import onnx
        from onnxruntime.quantization import QuantType, quantize_dynamic
        from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

        self.model.eval()
        self.model.fix_bias()
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
    parser.add_argument("--base", help="folder of all-mpnet-base-v2")
    parser.add_argument("--out", type=Path, default=ROOT / "auditor" / models.CLOSE_READER.path)
    add_options(parser)
    parser.add_argument("--quick", action="store_true", help="a few pairs only, to see that it runs")
    given = parser.parse_args()
    if not given.base and not given.go_on:
        parser.error("--base FOLDER or --go-on is needed")
    trainer = CloseTrainer(given.base)
    if given.go_on:
        read_back(trainer.model, models.verified(models.CLOSE_READER))
        trainer.shipped = CloseReader()
        trainer.freeze(FROZEN_LATER)
    for phase in STEPS[-1:] if given.go_on else STEPS:
        if given.quick:
            few = [replace(s, corpora=s.corpora[:1], asked=20) for s in phase.shown]
            phase = replace(phase, files="f1.jsonl", related=0.01, unrelated=1, across=0, mined=0.0, shown=few, edited=(), kept=5)
        trainer.step(phase, given.bench, given.stores)
    trainer.export(given.out)


if __name__ == "__main__":
    main()
