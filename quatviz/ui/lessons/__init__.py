"""The presentation of lessons in the main window: lesson panel, question, votes and scenes."""
