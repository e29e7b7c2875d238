"""Detectors: one file per family of facts. Each owns its comparison and its blocking keys; none renders."""
