"""Regions of documents: parse, edit, place, repair, merge."""
