"""`quatviz help`: print a page of the help, or search it.

quatviz help errors                         print a page; other words, such as Ctrl L, are searched for
"""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from markdown_it.tree import SyntaxTreeNode

from quatviz.base.errors import InputError
from quatviz.base.markdown import formula_text, inline_text, tokens
from quatviz.commands.support.terminal import CommandParser, format_table, print_error
from quatviz.teaching.help.pages import HelpPage, Section, find_section, pages, pages_by_group
from quatviz.teaching.help.text_search import search

PLACE = 100


_MAX_HITS = 20
"""Largest number of search results that are printed."""


def main(argv: Sequence[str]) -> int:
    """Print a page, a section, search results, or the list of pages. Return 1 if nothing is found."""
    parser = CommandParser(
        prog="quatviz help",
        description="Without arguments: list the pages. Name of a page: print it. page#section: print a section. "
        "Other words and keys: search for sections that contain them.",
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="such as errors, or errors#time-steps, or drift of energy, or Ctrl L",
    )
    parser.add_argument(
        "--search", nargs="+", metavar="WORD", help="search for sections that contain all these words"
    )
    args = parser.parse_args(argv)
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    if args.search:
        return _print_hits(" ".join(args.search), width)
    if not args.words:
        print("\n".join(_page_list()))
        return 0
    query = " ".join(args.words)
    try:
        section = find_section(query)
    except InputError:
        if len(args.words) == 1 and not search(query):
            raise
        return _print_hits(query, width)
    print("\n".join(_render_section(pages()[section.page], section, width)))
    return 0


def _page_list() -> Iterator[str]:
    widest = max(map(len, pages()))
    for group, members in pages_by_group().items():
        yield f"{group}:"
        for page in members:
            yield f"  {page.name:{widest}}  {page.title}"
        yield ""
    yield "print a page: quatviz help PAGE; search: quatviz help WORDS"


def _print_hits(query: str, width: int) -> int:
    hits = search(query)
    if not hits:
        print_error(f"no section of the help contains all of: {query}")
        return 1
    for hit in hits[:_MAX_HITS]:
        print(f"{hit.section.topic}   {hit.section.title}")
        print(textwrap.fill(hit.excerpt, width, initial_indent="    ", subsequent_indent="    "))
    if len(hits) > _MAX_HITS:
        print(f"and {len(hits) - _MAX_HITS} more: add a word to narrow the search")
    return 0


def _render_section(page: HelpPage, section: Section, width: int) -> Iterator[str]:
    """Yield the lines of a section and its subsections. For the title of a page, yield the whole page."""
    first_index = page.sections.index(section)
    for number, part in enumerate(page.sections[first_index:]):
        if number and part.level <= section.level:
            break
        if number:
            yield ""
        yield _format_heading(part)
        yield ""
        yield from _render_markdown(part.text, width)


def _format_heading(section: Section) -> str:
    title = section.title.upper() if section.level == 1 else section.title
    return f"\033[1m{title}\033[0m" if sys.stdout.isatty() else title


def _render_markdown(markdown: str, width: int) -> Iterator[str]:
    """Yield lines of text: paragraphs and items wrapped, tables aligned, formulas as Unicode text, code unchanged."""
    for node in SyntaxTreeNode(tokens(markdown)).children:
        lines = list(_render_block(node, width))
        yield from lines
        yield from [""] if lines else []


def _render_block(node: SyntaxTreeNode, width: int) -> Iterator[str]:
    if node.type == "table":
        rows = [
            [_inline_text(cell) for cell in row.children] for part in node.children for row in part.children
        ]
        yield from format_table(rows[0], rows[1:]).splitlines()
    elif node.type == "math_block":
        yield f"    {formula_text(' '.join(node.content.split()))}"
    elif node.type == "fence":
        yield from node.content.splitlines()
    elif node.type == "code_block":
        yield from (f"    {line}".rstrip() for line in node.content.splitlines())
    elif node.type in ("bullet_list", "ordered_list"):
        for number, item in enumerate(node.children, int(node.attrs.get("start", 1))):
            yield from _render_item(item, f"{number}. " if node.type == "ordered_list" else "- ", width)
    elif node.type == "paragraph":
        yield from textwrap.wrap(_inline_text(node), width, break_long_words=False, break_on_hyphens=False)
    else:
        for child in node.children:
            yield from _render_block(child, width)


def _render_item(item: SyntaxTreeNode, mark: str, width: int) -> Iterator[str]:
    """Yield the lines of a list item. An empty line follows if the parts of the item are separate paragraphs."""
    for number, child in enumerate(item.children):
        first = mark if number == 0 else ""
        for line in _render_block(child, width - len(mark)):
            yield f"{first:{len(mark)}}{line}"
            first = ""
        if child.type == "paragraph" and not child.hidden:
            yield ""


def _inline_text(node: SyntaxTreeNode) -> str:
    """Return the text of a paragraph or a cell. A picture is replaced by its description."""
    token_stream = (child.token for child in node.children if child.token is not None)
    return "".join(
        inline_text(token) or " ".join(f"[{inner.content}]" for inner in token.children or ())
        for token in token_stream
    )
