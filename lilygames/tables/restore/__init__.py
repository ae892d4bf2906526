"""Tables after a start: which wait to be restored, and which can't be.

Opening new tables is in `open`.

A start restores the open tables in tasks (`lilygames/tables/restore/unrestored.py`), those that someone waits
for first:
- a login restores the tables of that person first, and so does the first line of someone whose connection a reload
  has carried over (`lilygames/tables/open/carried_over.py`);
- a command waits only for the tables of the people, rooms and numbers that it names
  (`lilygames/chat/host/dispatch.py`);
- everything else pauses while someone waits for an answer (`lilygames/scheduling/foreground.py`).

Headers, rooms and public rows are known from the beginning, so programs get whole lists at once. If a reload comes
before all tables are restored, it hands the rest on unrestored. Chips are brought to a table once all tables of their
owner are back, and a tournament continues once all of its tables are.
"""
