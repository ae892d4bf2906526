"""The commands about tables, one file per subject."""
