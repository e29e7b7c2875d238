"""What the documents of `sample_corpus` in office, mail and export formats say, and how each is written."""
