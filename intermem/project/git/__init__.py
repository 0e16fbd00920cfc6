"""The repository, asked through git in batches."""
