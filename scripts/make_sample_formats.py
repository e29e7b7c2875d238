"""Write the documents of `sample_corpus` that an office program, a mail client or an export would have written.

    python scripts/make_sample_formats.py                  # into sample_corpus
    python scripts/make_sample_formats.py --into FOLDER

Needs the test extra. What the documents say stands readable in scripts/sample_formats, one module a family of formats. Every date, the
ones inside ZIP files included, is fixed, so that two runs write the same bytes. The contradictions planted in them, and the pairs that
only look like one, are the last 60 lines of sample_corpus/gold.jsonl: whoever changes a sentence here looks there too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = ("leaflets", "word", "contracts", "open_text", "workbooks", "slides", "mail", "exports", "books", "markup")


def documents() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Path below the corpus and what makes the file; a family is imported only here, so that its library may be absent elsewhere."""
    for family in FAMILIES:
        yield from import_module(f"sample_formats.{family}").DOCUMENTS.items()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--into", type=Path, default=ROOT / "sample_corpus")
    folder: Path = parser.parse_args().into
    for name, make in documents():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make())
        print(f"{path.stat().st_size:>6} {name}")


if __name__ == "__main__":
    main()
