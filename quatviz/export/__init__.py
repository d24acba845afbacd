"""Export of a run: tables, figures, films and the web page."""
