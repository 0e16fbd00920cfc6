"""The steps of ``check``: read documents, judge citations, compare with a base, fix."""
