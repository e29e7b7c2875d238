"""The engine: documents are read, and their facts extracted, in worker processes.

A parser that crashes, hangs or swallows memory loses one document, with its reason; the scan goes on.
"""
