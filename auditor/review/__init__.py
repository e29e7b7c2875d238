"""Decisions that people make about findings, and how they are kept from scan to scan.

`exported` reads what the report exports, `decisions` is the file that keeps decisions beside the corpus, `matching` recognises a
finding in a later run, `carry` puts decisions on the findings of a scan, and `merge` takes new decisions into the file.
"""
