"""What is opened beside the run: cards, help, hashes, exports, films, studies. They do not know each other."""
