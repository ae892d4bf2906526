"""The public pages of the place: each has an address, and is read without scripts and without an account.

`lilygames.tables.state.visible` decides which games are public. A page is made from a few short reads or from memory,
and never from everyone's data. It says the same to everybody: nothing here knows who asks.
"""
