"""Events that people meet for: the calendar, reminders, and the message of the day."""
