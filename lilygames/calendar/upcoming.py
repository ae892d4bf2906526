"""Something that people have joined and that begins soon, such as an event or a tournament."""

from __future__ import annotations

import attrs

from lilygames.chat.names.time_text import distance
from lilygames.text import Line, count


@attrs.frozen
class Upcoming:
    """A gathering: when it begins, its name, how many people have joined, and whose words the name has."""

    at: float
    name: str
    """The start of a sentence: `Event 3, “Ohell night”,`."""
    joined: int
    by: str = ""

    def line(self, now: float) -> Line:
        """Return a line like `Event 3, “Ohell night”, begins in 25 minutes. 6 people have joined`."""
        begins = "begins" if self.at > now else "began"
        joined = count(self.joined, "person has", "people have")
        return Line(f"{self.name} {begins} {distance(self.at - now)}. {joined} joined.", by=self.by)
