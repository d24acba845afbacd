"""The help: Markdown pages in `assets/help`, their sections, and search, without a user interface."""

from quatviz.teaching.help.entry_search import search_words
from quatviz.teaching.help.pages import HelpPage, Section, find_section, pages
from quatviz.teaching.help.text_search import SearchHit, search

__all__ = ["HelpPage", "SearchHit", "Section", "find_section", "pages", "search", "search_words"]
