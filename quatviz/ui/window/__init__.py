"""The main window: its layout, actions, files, messages and settings."""
