"""Machine-readable output: json, sarif, github, rdjson."""
