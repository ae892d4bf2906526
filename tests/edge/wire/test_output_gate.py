"""Output waits for the messages in it, and for no others, and stays in order."""

from lilygames.edge.wire.output_gate import OutputGate


class Connection:
    """A connection that keeps what it was given."""

    def __init__(self):
        self.got = []

    def write(self, data):
        self.got.append(data)

    def hang_up(self):
        self.got.append(None)


async def test_output_is_written_once_the_messages_in_it_are_stored_and_not_with_earlier_ones():
    gate, ann, bob = OutputGate(), Connection(), Connection()
    gate.said(1)
    assert gate.write(ann, b"one")
    gate.said(2)
    assert gate.write(ann, b"two")
    assert gate.write(bob, b"two")
    gate.stored(1)
    assert ([b"one"], []) == (ann.got, bob.got)
    gate.stored(2)

    assert ([b"one", b"two"], [b"two"]) == (ann.got, bob.got)


async def test_output_without_a_message_waits_behind_what_was_flushed_before():
    gate, ann = OutputGate(), Connection()
    gate.said(1)
    gate.write(ann, b"one")
    gate.write(ann, b"a move")
    gate.write(ann, None)
    assert [] == ann.got
    gate.stored(1)

    assert [b"one", b"a move", None] == ann.got
    assert not gate.write(ann, b"written at once")
