"""The subcommands of `lilygames`. `lilygames/server/cli.py` lists them."""
