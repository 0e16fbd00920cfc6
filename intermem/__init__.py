"""intermem: the git-friendly curator between agent memory and agent docs."""

__version__ = "0.2.0-dev"
