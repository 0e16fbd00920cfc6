"""Everything outside the database: configuration, locations, the repository, files."""
