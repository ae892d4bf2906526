"""A table as a frozen value: the log applied to the rules, with seats, life and what may be seen.

No I/O, no clock and no words: a refusal changes nothing.
"""
