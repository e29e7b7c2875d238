"""A generator of document stores of any size, with known contradictions: `python -m benchmarks.store OUT --statements 100000`."""
