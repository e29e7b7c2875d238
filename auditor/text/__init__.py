"""Words, sentences, statements."""
