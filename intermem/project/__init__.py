"""The world outside the database: configuration, places, the repository, files."""
