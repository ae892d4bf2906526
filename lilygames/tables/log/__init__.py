"""Acts and headers: what a table's log stores, and the values in it (options, clocks, seat ids).

Nothing here applies an act; `state` does that. Only the standard library, `codec` and the rules' contract are used.
"""
