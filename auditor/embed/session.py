"""How the onnxruntime models run: one text at a time on one thread each, several texts side by side.

Alone, a text comes out the same whatever else is read (int8 scales and the order of sums depend on what shares a batch), so that
results can be kept from scan to scan and do not depend on the number of cores. Short texts leave the threads of one inference waiting
for each other; as many texts as there are cores at once do not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")

_CHUNK = 8  # texts a thread takes at a time


def cpu_session(weights: Path) -> Any:
    """An inference session that uses the calling thread only. Raises `ImportError` without onnxruntime."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # Windows builds would report usage
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def side_by_side(
    function: Callable[[A], B], items: Sequence[A], report: Callable[[int, int], None] = lambda done, total: None
) -> list[B]:
    """Results in the order of the items, computed by as many threads as there are cores. `function` has to release the interpreter."""
    chunks = [items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK)]
    results: list[B] = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        for found in threads.map(lambda chunk: [function(item) for item in chunk], chunks):
            results.extend(found)
            report(len(results), len(items))
    return results
