"""The commands about tables, a file for each subject."""
