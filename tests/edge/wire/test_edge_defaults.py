"""Limits with their default settings."""

import attrs
import pytest

from lilygames.edge.wire.limits import Limits
from lilygames.server.settings.config import FIELDS, Settings


@pytest.mark.parametrize("name", attrs.fields_dict(Limits))
def test_every_limit_is_on_and_can_be_set(name):
    """A listener opened directly has the limits of the default settings, and each has a description."""
    about = FIELDS[name].about

    assert getattr(Settings(), name) == getattr(Limits(), name)
    assert about.sentence.endswith(".")
    assert about.allows(getattr(Limits(), name))


def test_one_address_may_send_less_than_a_core_reads():
    """A core reads about 100 kB/s of the most expensive keys (Tab, 9 microseconds each) and has other people to serve.

    With 16 KiB/s for each of 18 connections, others waited 100 ms for an echo; with 4 KiB/s they do not notice.
    """
    limits = Limits()

    assert limits.connections_per_address * limits.bytes_per_second <= 100_000
    assert limits.bytes_per_second >= limits.line_bytes
