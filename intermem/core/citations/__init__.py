"""Citations: found in a text, and judged against facts from the repository."""
