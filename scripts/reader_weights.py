"""The weights of a shipped pair reader, read back from its int8 ONNX file, so that training can go on from there.

Rounding to eight bits costs little that further training does not mend, and the full weights of the readers are not kept anywhere.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

NUMBITS_ZERO = 128  # MatMulNBits stores unsigned bytes around this


def read_back(model: nn.Module, path: Path) -> None:
    """Put the weights of the ONNX file that `export` wrote into the model.

    Raises ValueError if a weight is missing or has another shape.
    """
    import onnx
    from onnx.numpy_helper import to_array

    graph = onnx.load(str(path)).graph
    stored = {i.name: to_array(i) for i in graph.initializer}
    names = set(model.state_dict())
    found: dict[str, np.ndarray] = {}
    for name, values in stored.items():
        bare = name.removeprefix("m.")
        if bare in names:
            found[bare] = values
        elif bare.endswith("_quantized") and bare.removesuffix("_quantized") in names:
            found[bare.removesuffix("_quantized")] = _scaled(stored, name.removesuffix("_quantized"))
        elif bare.endswith("_Transposed_quantized") and bare.removesuffix("_Transposed_quantized") in names:
            found[bare.removesuffix("_Transposed_quantized")] = _scaled(stored, name.removesuffix("_quantized")).T
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].startswith("onnx::"):
            values = _scaled(stored, node.input[1].removesuffix("_quantized")).T
        elif node.op_type == "MatMulNBits":
            size = {a.name: a.i for a in node.attribute}
            blocks = (stored[node.input[1]].astype(np.float32) - NUMBITS_ZERO) * stored[node.input[2]].reshape(size["N"], -1, 1)
            values = blocks.reshape(size["N"], -1)[:, : size["K"]]
        else:
            continue
        place = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
        fitting = [n for n in names if n.endswith(f"{place.removeprefix('m.')}.weight")]
        if len(fitting) != 1:
            raise ValueError(f"{path.name}: no weight for {node.name}")
        found[fitting[0]] = values
    if "bert.encoder.relative_attention_bias.weight" in names:
        constants = [to_array(a.t) for n in graph.node if n.op_type == "Constant" for a in n.attribute if a.name == "value"]
        for values in (*stored.values(), *constants):
            if values.ndim == 4 and values.shape[2] == values.shape[3]:  # worked out for every pair of places
                found["bert.encoder.relative_attention_bias.weight"] = _by_bucket(model, values[0])
    if missing := sorted(names - set(found)):
        raise ValueError(f"{path.name}: no values for {', '.join(missing)}")
    model.load_state_dict({name: torch.tensor(np.ascontiguousarray(values)) for name, values in found.items()})


def _scaled(stored: dict[str, np.ndarray], name: str) -> np.ndarray:
    values = stored[f"{name}_quantized"].astype(np.float32) - stored[f"{name}_zero_point"].astype(np.float32)
    return np.asarray(values * stored[f"{name}_scale"], dtype=np.float32)


def _by_bucket(model: nn.Module, bias: np.ndarray) -> np.ndarray:
    """MPNet's bias by bucket of distance, from that by place: shape (heads, places, places) to (buckets, heads)."""
    places = torch.arange(bias.shape[1])
    buckets = model.bert.encoder.relative_position_bucket(places[None] - places[:, None]).numpy()
    table = np.zeros((model.bert.encoder.relative_attention_bias.num_embeddings, bias.shape[0]), np.float32)
    for bucket in np.unique(buckets):
        table[bucket] = bias[:, buckets == bucket].mean(1)
    return table
