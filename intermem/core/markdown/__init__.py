"""Markdown as lines, blocks and inline spans, cut from the original text."""
