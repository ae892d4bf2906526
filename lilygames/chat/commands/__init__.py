"""The commands of chat, a file for each subject."""
