"""The rules that find secrets: ``tokens`` by their own form, ``announced`` by a word before them, ``commands`` by how
they are passed. Each yields a ``Suspicion`` for a folded line; ``values`` tells a value from talk about one."""
