"""The garbage collector of a server, which must not hold up the event loop."""

import gc


def collect_seldom() -> None:
    """Run the garbage collector less often: it scans everything that people have here and finds hardly any cycles.

    A start runs without it up to here. Only young objects are looked at, in small portions, because everything waits
    meanwhile: for 30,000 objects of tables that is 10 to 25 ms. While bots play at 200 tables, a minute makes so many.
    One turn looks at 600 of them at most.
    """
    gc.freeze()
    gc.set_threshold(200, 1, 34_000)
    gc.enable()
