"""Personal data: what is stored about a person, how they get it, and how it is deleted."""
