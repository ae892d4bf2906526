"""Screens: whole lines, the line editor, and JSON for programs.

Each draws lines or packets on a wire; which one a person gets is chosen in `terminal`.
"""
