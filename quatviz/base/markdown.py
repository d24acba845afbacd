"""Markdown, read in one place: CommonMark with tables, and with formulae between dollars.

Help, lessons, cards, the tour and sheets go by the tokens that markdown-it makes of a text: the window by `to_html`, a terminal,
a search and a list by `inline_text` and `to_plain_text`. Headings underlined by `---` are none, for a rule may stand below a
paragraph. A table whose head is empty has none: Markdown knows no table without.
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
"""The HTML of a formula, of its LaTeX, and whether it stands by itself: then it is a paragraph."""

WORD_JOINER = "\u2060"
"""Between two letters: no line ends here."""
_CLOSING_MARKS = tuple(".,;:)’")
"""No line ends between a formula and one of these, or its value, which Qt would allow without the joiner."""
_BREAK_POINT = re.compile(r"(?<=\w)/(?=s)|\|(?=\S)")
"""Behind what a line would end within a unit, such as rad/s, or a length, such as |p|²."""
_VALUE = re.compile(
    r"\s= [+−-]?\d[\d.,·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*(?: (?:kg|m|s|ms|min|rad|deg|N|J|W)[²³]?(?:/s[²³]?)?(?!\w))*"
)
"""What something is, with its unit: 2.3271 s of t at the begin of a line says nothing of it."""
_DISPLAY_MATH = ("math_block", "math_inline_double")
_MATH = ("math_inline", *_DISPLAY_MATH)
_CODE = ("code_inline", "fence", "code_block")
_BLANK = re.compile(r"[ \t\n]+")


def prevent_breaks(text: str) -> str:
    """The text, no line of which ends within a unit, behind a stroke of a length, or between what is said and how large it is.

    >>> prevent_breaks("|p|² in rad/s").replace(WORD_JOINER, "_")
    '|_p|_² in rad/_s'
    >>> prevent_breaks("at t = 2.3 s, h = 4 kg m²/s along").replace(NO_BREAK_SPACE, "_").replace(WORD_JOINER, "")
    'at t_=_2.3_s, h_=_4_kg_m²/s along'
    """
    bound = _VALUE.sub(lambda value: _BLANK.sub(NO_BREAK_SPACE, value[0]), text)
    return _BREAK_POINT.sub(rf"\g<0>{WORD_JOINER}", bound)


def block_tokens(markdown: str) -> "Sequence[Token]":
    """The tokens of headings, paragraphs and so on with their lines; what stands inside of them is not read."""
    return _parser(False).parse(markdown)


@lru_cache(maxsize=64)  # a paragraph is laid out at every width that its window takes
def tokens(markdown: str) -> "Sequence[Token]":
    """All tokens. Those within a line are the `children` of one of type `inline`."""
    return _parser(True).parse(markdown)


def find_formulae(markdown: str) -> list[str]:
    """The LaTeX of every formula, in one line each."""
    return [_latex_source(token) for token in _flatten(tokens(markdown)) if token.type in _MATH]


def split_formulae(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text cut into what is no formula, and, with True, formulae with their dollars."""
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
    """The addresses of its pictures."""
    return [str(token.attrs["src"]) for token in _flatten(tokens(markdown)) if token.type == "image"]


def has_lone_dollar(markdown: str) -> bool:
    """Whether a dollar stands there that is neither a formula's nor in code."""
    return any("$" in token.content for token in _flatten(tokens(markdown)) if token.type == "text")


def formula_text(latex: str, no_breaks: bool = False) -> str:
    """How a formula reads, if need be so that no line ends in it; one that is malformed as it was written."""
    try:
        text = plain_text(latex)
    except MalformedFormula:
        return latex
    return text.replace(" ", NO_BREAK_SPACE) if no_breaks else text


def inline_text(inline: "Token") -> str:
    """The words of a token of type `inline`, formulae in letters at which no line ends. Pictures say nothing."""
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
    """All words in one line, without marks; dashes between the cells of a table."""
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
    """A table of these cells, whose bars are escaped; columns whose index is in `right` are numbers, aligned to the right."""
    rule = ["---:" if index in right else "---" for index in range(len(head))]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *cells])


def to_html(markdown: str, formula: Formula, links: bool = True, pictures: bool = False) -> str:
    """HTML of the kind that Qt reads. Without `links` their words stand there alone, and without `pictures` the words for
    them, as for a picture whose address is no path; comments are left out."""
    parser = _parser(True)
    env = {"formula": formula, "links": links, "pictures": pictures}
    html: str = parser.renderer.render(tokens(markdown), parser.options, env)
    return html


@cache
def _parser(with_inline: bool) -> "MarkdownIt":
    """Made when it is first needed, for most starts of the program need none."""
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
    """Take out the heads of tables that say nothing."""
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
    """What a program gives, a fence of `text`, is told from what a person writes."""
    css_class = ' class="given"' if row[index].info == "text" else ""
    return f"<pre{css_class}>{_escape_html(row[index].content.rstrip())}</pre>\n"


def _render_html(self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]) -> str:
    content = row[index].content
    return "" if content.lstrip().startswith("<!--") else _escape_html(content)


def _render_paragraph(
    self: Any, row: "Sequence[Token]", index: int, options: Any, env: dict[str, Any]
) -> str:
    """One of a picture alone is as high as that, for lines of words stand further apart than they are high."""
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
    """With its side as an attribute, for a style of its own would take a cell's lines from it in Qt."""
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
