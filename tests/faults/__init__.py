"""Faults of every kind, and what must hold after them."""

import pytest

for _name in ("judging", "disks", "tracing"):
    pytest.register_assert_rewrite(f"tests.faults.{_name}")
