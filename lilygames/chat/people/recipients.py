"""The recipients of a person's short send forms: `;text`, `:text`, `=text`, /also and /oops."""

from __future__ import annotations

from lilygames.chat.people.events import ChatEvent


class Recipients:
    """The recipients of a person's short send forms."""

    def __init__(self) -> None:
        self.last_to: tuple[str, ...] = ()
        """Recipients of their last message, for `;text`."""
        self.last_from = ""
        """Sender of the last message to them alone, for `:text`."""
        self.last_group: tuple[str, ...] = ()
        """Everyone in the last private group message, for `=text`."""
        self.last_said: ChatEvent | None = None
        """Their last message, for `/also` and `/oops`."""

    def sent_to(self, marks: tuple[str, ...]) -> None:
        """Remember the recipients of a sent message."""
        self.last_to = marks

    def heard_from(self, sender: str, group: tuple[str, ...] = ()) -> None:
        """Remember the sender of a received message, and its group if it had several recipients."""
        self.last_from = sender
        self.last_group = group or self.last_group

    def has_said(self, said: ChatEvent) -> None:
        """Remember their last message."""
        self.last_said = said

    def restore(self, last_to: tuple[str, ...], last_from: str, last_group: tuple[str, ...]) -> None:
        """Restore the state from another process."""
        self.last_to, self.last_from, self.last_group = last_to, last_from, last_group
