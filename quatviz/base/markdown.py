"""Parsing and rendering of Markdown: CommonMark with tables and with formulas between dollar signs.

All Markdown texts of the program (help, lessons, cards, the tour, the sheets) are parsed into markdown-it's tokens
here. The window shows them through `to_html`; the terminal, the search and lists use `inline_text` and
`to_plain_text`. Two rules differ from CommonMark. A heading underlined by `---` is not supported, so that a
horizontal rule may follow a paragraph. A table with an empty header row is shown without that row, since Markdown
has no syntax for a table without header.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from quatviz.base.formatting import NO_BREAK_SPACE
from quatviz.base.latex import MalformedFormula, plain_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

Formula = Callable[[str, bool], str]
"""Function (LaTeX, is_display) that returns the HTML of a formula. A displayed formula is a paragraph of its
own."""

WORD_JOINER = "\u2060"
"""Character that prevents a line break between two letters."""
_CLOSING_MARKS = tuple(".,;:?!)’”")
"""Marks that must not begin a line. A word joiner before them prevents Qt from breaking the line between a formula and
the mark."""
_BREAK_POINT = re.compile(r"(?<=\w)/(?=s)|\|(?=\S)")
"""Pattern of a character inside a unit (rad/s) or a magnitude (|p|²) after which a line could break but must
not.
"""
_VALUE = re.compile(
    r"\s= [+−-]?\d[\d.,·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*(?: (?:kg|m|s|ms|min|rad|deg|N|J|W)[²³]?(?:/s[²³]?)?(?!\w))*"
)
"""Pattern of an equals sign with a value and its unit, such as " = 2.3271 s", which must stay with the symbol
before it."""
_DISPLAY_MATH = ("math_block", "math_inline_double")
_MATH = ("math_inline", *_DISPLAY_MATH)
_CODE = ("code_inline", "fence", "code_block")
_BLANK = re.compile(r"[ \t\n]+")


def prevent_breaks(text: str) -> str:
    """Return a text without line breaks inside units, after the bar of a magnitude, and between a symbol and its value.

    >>> prevent_breaks("|p|² in rad/s").replace(WORD_JOINER, "_")
    '|_p|_² in rad/_s'
    >>> prevent_breaks("at t = 2.3 s, h = 4 kg m²/s along").replace(NO_BREAK_SPACE, "_").replace(WORD_JOINER, "")
    'at t_=_2.3_s, h_=_4_kg_m²/s along'
    """
    bound = _VALUE.sub(lambda value: _BLANK.sub(NO_BREAK_SPACE, value[0]), text)
    return _BREAK_POINT.sub(rf"\g<0>{WORD_JOINER}", bound)


def block_tokens(markdown: str) -> "Sequence[Token]":
    """Return the tokens of blocks (headings, paragraphs, ...) with their lines. Inline content is not parsed."""
    return _parser(False).parse(markdown)


@lru_cache(maxsize=64)  # paragraphs are laid out again at every width of their window
def tokens(markdown: str) -> "Sequence[Token]":
    """Return all tokens. Inline content is in the `children` of tokens of type `inline`."""
    return _parser(True).parse(markdown)


def find_formulae(markdown: str) -> list[str]:
    """Return the LaTeX of every formula, each in one line."""
    return [_latex_source(token) for token in _flatten(tokens(markdown)) if token.type in _MATH]


def split_formulae(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, with True for formulas (dollar signs included) and False for other text."""
    position = 0
    for token in _flatten(tokens(markdown)):
        if token.type not in (*_MATH, *_CODE):
            continue
        content_pattern = r"\s+".join(map(re.escape, token.content.split()))
        dollars = re.escape(token.markup) if token.type in _MATH else ""
        match = re.compile(rf"{dollars}\s*{content_pattern}\s*{dollars}").search(markdown, position)
        if match is not None and dollars:
            yield markdown[position : match.start()], False
            yield match[0], True
        elif match is not None:
            yield markdown[position : match.end()], False
        position = match.end() if match is not None else position
    yield markdown[position:], False


def image_sources(markdown: str) -> list[str]:
    """Return the addresses of all images in a Markdown text."""
    return [str(token.attrs["src"]) for token in _flatten(tokens(markdown)) if token.type == "image"]


def has_lone_dollar(markdown: str) -> bool:
    """Return True if a text contains a dollar sign that is neither part of a formula nor in code."""
    return any("$" in token.content for token in _flatten(tokens(markdown)) if token.type == "text")


def formula_text(latex: str, no_breaks: bool = False) -> str:
    """Return a formula as plain text, or its LaTeX if it is malformed. `no_breaks` prevents line breaks within the formula."""
    try:
        text = plain_text(latex)
    except MalformedFormula:
        return latex
    return text.replace(" ", NO_BREAK_SPACE) if no_breaks else text


def inline_text(inline: "Token") -> str:
    """Return the plain text of a token of type `inline`. Formulas contain no line breaks, and images are ignored."""
    text = ""
    for token in inline.children or ():
        if token.type in ("text", "code_inline"):
            text += token.content
        elif token.type in ("softbreak", "hardbreak"):
            text += " "
        elif token.type in _MATH:
            text += formula_text(_latex_source(token), no_breaks=token.type not in _DISPLAY_MATH)
    return text


def to_plain_text(markdown: str) -> str:
    """Return a text in one line without markup, with dashes between the cells of a table."""
    parts: list[str] = []
    is_first_cell = True
    for token in tokens(markdown):
        if token.type == "tr_open":
            is_first_cell = True
        elif token.type in ("th_open", "td_open"):
            parts += [] if is_first_cell else ["–"]
            is_first_cell = False
        elif token.type == "inline":
            parts.append(inline_text(token))
        elif token.type in _CODE:
            parts.append(token.content)
        elif token.type in _MATH:
            parts.append(formula_text(_latex_source(token)))
    return _BLANK.sub(" ", " ".join(parts)).strip()


def format_markdown_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()
) -> str:
    """Return a Markdown table.

    Parameters
    ----------
    head, rows
        Cells of the header and of each row. Bars in the cells of rows are escaped.
    right
        Indices of right-aligned columns.
    """
    rule = ["---:" if index in right else "---" for index in range(len(head))]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *cells])


def to_html(markdown: str, formula: Formula, links: bool = True, pictures: bool = False) -> str:
    """Return HTML in the subset that Qt supports.

    Parameters
    ----------
    markdown
        Markdown text. Comments are removed.
    formula
        Function that renders formulas.
    links
        If False, links are shown as plain text.
    pictures
        If False, images are replaced by their alternative text, as are images whose address is not a path.
    """
    parser = _parser(True)
    env = {"formula": formula, "links": links, "pictures": pictures}
    html: str = parser.renderer.render(tokens(markdown), parser.options, env)
    return html


@cache
def _parser(with_inline: bool) -> "MarkdownIt":
    """Return the Markdown parser, with or without inline content. Its libraries are imported on first use
    because most starts of the program need none."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark").enable("table").disable("lheading")
    parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    parser.core.ruler.push("headless", _remove_empty_heads)
    for name, rule in _RENDER_RULES.items():
        parser.add_render_rule(name, rule)
    return parser if with_inline else parser.disable("inline")


def _flatten(roots: "Iterable[Token]") -> "Iterator[Token]":
    for token in roots:
        yield token
        yield from token.children or ()


def _latex_source(token: "Token") -> str:
    return " ".join(token.content.split())


def _remove_empty_heads(state: "StateCore") -> None:
    """Remove the header rows of tables whose header cells are all empty from the tokens of `state`."""
    kept: list[Token] = []
    head: list[Token] | None = None
    for token in state.tokens:
        if token.type == "thead_open":
            head = []
        (kept if head is None else head).append(token)
        if token.type == "thead_close" and head is not None:
            kept += (
                head if any(head_token.type == "inline" and head_token.content for head_token in head) else []
            )
            head = None
    state.tokens = kept


def _escape_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _render_text(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    return _escape_html(prevent_breaks(row[index].content))


def _render_math(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    following = row[index + 1].content if index + 1 < len(row) else ""
    bound = following.startswith(_CLOSING_MARKS) or _VALUE.match(following)
    return f"{env['formula'](_latex_source(row[index]), False)}{WORD_JOINER if bound else ''}"


def _render_display_math(
    self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]
) -> str:
    html: str = env["formula"](_latex_source(row[index]), True)
    return html if row[index].block else f"</p>{html}<p>"


def _render_code(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    """Render a code block. Blocks whose language is `text` show output; they get the CSS class "given"."""
    css_class = ' class="given"' if row[index].info == "text" else ""
    return f"<pre{css_class}>{_escape_html(row[index].content.rstrip())}</pre>\n"


def _render_html(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    content = row[index].content
    return "" if content.lstrip().startswith("<!--") else _escape_html(content)


def _render_paragraph(
    self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]
) -> str:
    """Render the start of a paragraph. A paragraph with only an image has the line height of the image."""
    inner = row[index + 1].children or ()
    is_image_only = env["pictures"] and [token.type for token in inner] == ["image"]
    return (
        '<p style="line-height: 100%">' if is_image_only else str(self.renderToken(row, index, options, env))
    )


def _render_link(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    html: str = self.renderToken(row, index, options, env) if env["links"] else ""
    return html


def _render_image(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    source = str(row[index].attrs["src"])
    if env["pictures"] and ":" not in source:
        return f'<img src="{_escape_html(source)}">'
    return _escape_html(row[index].content)


def _render_cell(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    """Render a table cell with its alignment as an attribute, since Qt drops cell borders for a style attribute."""
    alignment = str(row[index].attrs.get("style", "")).removeprefix("text-align:")
    return f'<{row[index].tag} align="{alignment}">' if alignment else f"<{row[index].tag}>"


_RENDER_RULES: dict[str, Callable[..., str]] = {
    "text": _render_text,
    "math_inline": _render_math,
    "math_inline_double": _render_display_math,
    "math_block": _render_display_math,
    "fence": _render_code,
    "code_block": _render_code,
    "html_block": _render_html,
    "html_inline": _render_html,
    "paragraph_open": _render_paragraph,
    "th_open": _render_cell,
    "td_open": _render_cell,
    "link_open": _render_link,
    "link_close": _render_link,
    "image": _render_image,
}
