"""Plain text and tables for people, one module per group of commands."""
