"""Talk: who hears a line, how it is kept, and how it is read again.

Commands that talk are in `chat/commands`.
"""
