"""Who takes part: people, and the branches that they work on."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.team.judge import Act
from benchmarks.team.world import Clone


@dataclass
class Branch:
    """A branch, what was done on it, and whether a pull request of it waits."""

    name: str
    acts: list[Act] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    is_open: bool = False
    is_conflicted: bool = False
    waits: int = 0


@dataclass
class Person:
    """Somebody with a clone. ``memory`` has section and text of each fact; an echo was copied from the document."""

    clone: Clone
    has_tool: bool
    away: range
    memory: dict[str, tuple[str, str]] = field(default_factory=dict)
    echoes: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    branch: Branch | None = None
    sees_traced: bool = False
    diligence: float = 0.75  # how often they let the tool change documents

    @property
    def name(self) -> str:
        """The name."""
        return self.clone.name

    def held(self) -> set[str]:
        """Return the facts that the memory holds of its own."""
        return set(self.memory) - self.echoes
