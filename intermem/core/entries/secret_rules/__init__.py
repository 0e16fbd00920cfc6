"""The rules that find secrets: ``tokens`` by their own form, ``labelled`` by what stands before, ``commands`` by how
they are passed. Each yields a ``Suspicion`` for a folded line; ``values`` tells a value from talk about one."""
