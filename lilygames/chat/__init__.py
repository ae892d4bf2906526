"""People and rooms: who is here, what they say, and what a typed line does.

Nothing here knows tables, except by the interfaces in `people`.
"""
