"""The chat: names, people, rooms and what people say to each other."""
