"""Citations: extracted from a text, and judged against facts about the repository."""
