"""Faults of every kind, and what holds after them."""

import pytest

for _name in ("judging", "disks", "tracing"):
    pytest.register_assert_rewrite(f"tests.faults.{_name}")
