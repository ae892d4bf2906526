"""The process that serves a place: joins its parts, and has settings, handover, metrics, backup and command line."""
