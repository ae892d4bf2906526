"""The subcommands of `lilygames`. `lilygames/server/shell/cli.py` lists them."""
