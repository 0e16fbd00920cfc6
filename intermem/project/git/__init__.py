"""The repository, read through git in batches."""
