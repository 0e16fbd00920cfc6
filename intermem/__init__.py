"""intermem: the git-friendly curator between agent memory and agent docs."""

__version__ = "0.1.0"
