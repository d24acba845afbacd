"""The main window: its layout and actions, its messages and settings, and the files that it opens and saves."""
