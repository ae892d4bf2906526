"""Someone at a terminal, for tests of terminals."""

from lilygames.chat.people.terminal import Nobody


class Sitting(Nobody):
    """Does what a test says: `Sitting(complete=lambda text: [])`."""

    def __init__(self, **does):
        vars(self).update(does)
