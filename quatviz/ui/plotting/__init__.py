"""What plot panels are made of: strips over one shared time axis, drawn once and then only overlaid."""
