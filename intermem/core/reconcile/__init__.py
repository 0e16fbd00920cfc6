"""Documents, ledger and records of one branch made to agree."""
