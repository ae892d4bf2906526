"""The order of work: what people type goes before what nobody waits for. And how long work took.

Nothing here knows what the work is.
"""
