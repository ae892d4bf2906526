"""Notifications by mail and push for people who aren't connected: off by default, and only about themselves.

- `items.py`: what waits for someone. Each source works it out from its own state, so it isn't stored twice.
- `subscription.py`: what someone has chosen, and what is being sent to them: a frozen value and its pure steps.
- `schedule.py`: when to send. Pure.
- `letters.py`: the words of a mail and a push message. Pure.
- `tokens.py`: codes that confirm an address, and signed tokens that unsubscribe it.
- `subscriptions.py`: subscriptions in the store, and the queue of those with something to send.
- `smtp.py`, `push.py`: the two ways out.
- `mailing.py`: the service, which looks periodically at all of this. `commands.py`: /mail and /push.
"""
