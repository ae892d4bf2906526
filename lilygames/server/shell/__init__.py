"""The command line: errors as sentences, options that commands share, and what several commands use.

The commands themselves are in `commands`.
"""
