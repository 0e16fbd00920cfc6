"""One module per verb: read, plan, write once. Nothing here prints."""
