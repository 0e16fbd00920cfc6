"""Entries: read from a memory, identified, compared, observed; secrets found in them."""
