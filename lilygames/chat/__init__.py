"""The lobby: names, people, discussions and what they say to each other."""
