"""Moderation: reports, sanctions, and the audit log of everything that the staff do.

- `actions.py`: actions of the staff, and a person's record: frozen values and pure steps.
- `addresses.py`: addresses that a ban can name.
- `audit.py`: the log of all actions, which every node follows.
- `sanctions.py`: the sanctions in force; the host asks it who may come in and who may be heard.
- `removal.py`: carries out kicks and bans: connections, sessions and seats.
- `reports.py`: reports and appeals, with their evidence.
- `desk.py`: decides who may act on another person, and does it. Commands and the shell use it.
"""
