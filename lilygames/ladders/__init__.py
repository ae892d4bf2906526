"""Ladders and team matches: contests of people who play the same cards, each at a table of their own."""
