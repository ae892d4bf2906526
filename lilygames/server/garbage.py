"""The garbage collector of a server, which must not hold up the event loop."""

import gc


def collect_seldom() -> None:
    """Run the garbage collector less often: it scans everything that people have here and finds hardly any cycles.

    A start runs without it up to here. Only the young objects are looked at in small portions, because a portion of
    10,000 stops everything for 10 ms.
    """
    gc.freeze()
    gc.set_threshold(1_000, 200, 50)
    gc.enable()
