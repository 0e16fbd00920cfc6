"""Source code as text: file types, whole words, the shape of a line, renamed identifiers."""
