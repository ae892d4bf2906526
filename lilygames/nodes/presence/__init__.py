"""People at other nodes: records of where everyone is, their changes, and terminals that send lines to other nodes.

Talk in rooms and the following of tables are in the folder above.
"""
