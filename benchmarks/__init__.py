"""Measurements outside of the test suite; none of this is part of the installed package."""
