"""Commands to find, open and join tables: `/quick`, `/new`, `/sit`, seeks, lessons and daily deals.

Commands at a running table are in the folder above.
"""
