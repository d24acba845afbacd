"""The in-program help: the Markdown pages in `assets/help`, their sections, and search in them. Nothing here draws."""

from quatviz.teaching.help.entry_search import search_words
from quatviz.teaching.help.pages import Page, Section, find_section, pages
from quatviz.teaching.help.text_search import SearchHit, search

__all__ = ["Page", "SearchHit", "Section", "find_section", "pages", "search", "search_words"]
