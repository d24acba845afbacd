"""What is opened beside the run: cards, help, lessons, start page, exports, films, studies. They do not know each other."""
