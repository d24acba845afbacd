"""Markdown, read in one place: CommonMark with tables, and with formulae between dollars.

Help, lessons, cards, the tour and sheets go by the tokens that markdown-it makes of a text: the window by `html_of`, a terminal,
a search and a list by `words_of` and `plain`. Headings underlined by `---` are none, for a rule may stand below a paragraph.
A table whose head is empty has none: Markdown knows no table without.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from quatviz.base.formatting import NO_BREAK
from quatviz.base.latex import Malformed, plain_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

Formula = Callable[[str, bool], str]
"""The HTML of a formula, of its LaTeX, and whether it stands by itself: then it is a paragraph."""

JOINER = "\u2060"
"""Between two letters: no line ends here."""
_CLOSING = tuple(".,;:)’")
"""No line ends between a formula and one of these, or its value, which Qt would allow without the joiner."""
_WITHIN = re.compile(r"(?<=\w)/(?=s)|\|(?=\S)")
"""Behind what a line would end within a unit, such as rad/s, or a length, such as |p|²."""
_VALUE = re.compile(
    r"\s= [+−-]?\d[\d.,·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*(?: (?:kg|m|s|ms|min|rad|deg|N|J|W)[²³]?(?:/s[²³]?)?(?!\w))*"
)
"""What something is, with its unit: 2.3271 s of t at the begin of a line says nothing of it."""
_DISPLAYED = ("math_block", "math_inline_double")
_MATH = ("math_inline", *_DISPLAYED)
_CODE = ("code_inline", "fence", "code_block")
_BLANK = re.compile(r"[ \t\n]+")


def unbroken(text: str) -> str:
    """The text, no line of which ends within a unit, behind a stroke of a length, or between what is said and how large it is.

    >>> unbroken("|p|² in rad/s").replace(JOINER, "_")
    '|_p|_² in rad/_s'
    >>> unbroken("at t = 2.3 s, h = 4 kg m²/s along").replace(NO_BREAK, "_").replace(JOINER, "")
    'at t_=_2.3_s, h_=_4_kg_m²/s along'
    """
    bound = _VALUE.sub(lambda value: _BLANK.sub(NO_BREAK, value[0]), text)
    return _WITHIN.sub(rf"\g<0>{JOINER}", bound)


def blocks(markdown: str) -> "Sequence[Token]":
    """The tokens of headings, paragraphs and so on with their lines; what stands inside of them is not read."""
    return _reader(False).parse(markdown)


@lru_cache(maxsize=64)  # a paragraph is laid out at every width that its window takes
def tokens(markdown: str) -> "Sequence[Token]":
    """All tokens. Those within a line are the `children` of one of type `inline`."""
    return _reader(True).parse(markdown)


def formulae_of(markdown: str) -> list[str]:
    """The LaTeX of every formula, in one line each."""
    return [_latex(token) for token in _flat(tokens(markdown)) if token.type in _MATH]


def pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text cut into what is no formula, and, with True, formulae with their dollars."""
    at = 0
    for token in _flat(tokens(markdown)):
        if token.type not in (*_MATH, *_CODE):
            continue
        within = r"\s+".join(map(re.escape, token.content.split()))
        dollars = re.escape(token.markup) if token.type in _MATH else ""
        found = re.compile(rf"{dollars}\s*{within}\s*{dollars}").search(markdown, at)
        if found is not None and dollars:
            yield markdown[at : found.start()], False
            yield found[0], True
        elif found is not None:
            yield markdown[at : found.end()], False
        at = found.end() if found is not None else at
    yield markdown[at:], False


def pictures_in(markdown: str) -> list[str]:
    """The addresses of its pictures."""
    return [str(token.attrs["src"]) for token in _flat(tokens(markdown)) if token.type == "image"]


def has_lone_dollar(markdown: str) -> bool:
    """Whether a dollar stands there that is neither a formula's nor in code."""
    return any("$" in token.content for token in _flat(tokens(markdown)) if token.type == "text")


def letters_of(latex: str, unbroken: bool = False) -> str:
    """How a formula reads, if need be so that no line ends in it; one that is malformed as it was written."""
    try:
        said = plain_text(latex)
    except Malformed:
        return latex
    return said.replace(" ", NO_BREAK) if unbroken else said


def words_of(inline: "Token") -> str:
    """The words of a token of type `inline`, formulae in letters at which no line ends. Pictures say nothing."""
    said = ""
    for token in inline.children or ():
        if token.type in ("text", "code_inline"):
            said += token.content
        elif token.type in ("softbreak", "hardbreak"):
            said += " "
        elif token.type in _MATH:
            said += letters_of(_latex(token), unbroken=token.type not in _DISPLAYED)
    return said


def plain(markdown: str) -> str:
    """All words in one line, without marks; dashes between the cells of a table."""
    said: list[str] = []
    first = True
    for token in tokens(markdown):
        if token.type == "tr_open":
            first = True
        elif token.type in ("th_open", "td_open"):
            said += [] if first else ["–"]
            first = False
        elif token.type == "inline":
            said.append(words_of(token))
        elif token.type in _CODE:
            said.append(token.content)
        elif token.type in _MATH:
            said.append(letters_of(_latex(token)))
    return _BLANK.sub(" ", " ".join(said)).strip()


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """A table of these cells, whose bars are escaped; columns whose index is in `right` are numbers, aligned to the right."""
    rule = ["---:" if index in right else "---" for index in range(len(head))]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *cells])


def html_of(markdown: str, formula: Formula, links: bool = True, pictures: bool = False) -> str:
    """HTML of the kind that Qt reads. Without `links` their words stand there alone, and without `pictures` the words for
    them, as for a picture whose address is no path; comments are left out."""
    reader = _reader(True)
    env = {"formula": formula, "links": links, "pictures": pictures}
    made: str = reader.renderer.render(tokens(markdown), reader.options, env)
    return made


@cache
def _reader(whole: bool) -> "MarkdownIt":
    """Made when it is first needed, for most starts of the program need none."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    made = MarkdownIt("commonmark").enable("table").disable("lheading")
    made.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    made.core.ruler.push("headless", _headless)
    for name, rule in _RULES.items():
        made.add_render_rule(name, rule)
    return made if whole else made.disable("inline")


def _flat(found: "Iterable[Token]") -> "Iterator[Token]":
    for token in found:
        yield token
        yield from token.children or ()


def _latex(token: "Token") -> str:
    return " ".join(token.content.split())


def _headless(state: "StateCore") -> None:
    """Take out the heads of tables that say nothing."""
    kept: list[Token] = []
    head: list[Token] | None = None
    for token in state.tokens:
        if token.type == "thead_open":
            head = []
        (kept if head is None else head).append(token)
        if token.type == "thead_close" and head is not None:
            kept += head if any(one.type == "inline" and one.content for one in head) else []
            head = None
    state.tokens = kept


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _text(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    return _escaped(unbroken(row[at].content))


def _math(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    behind = row[at + 1].content if at + 1 < len(row) else ""
    bound = behind.startswith(_CLOSING) or _VALUE.match(behind)
    return f"{env['formula'](_latex(row[at]), False)}{JOINER if bound else ''}"


def _displayed(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    made: str = env["formula"](_latex(row[at]), True)
    return made if row[at].block else f"</p>{made}<p>"


def _code(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    """What a program gives, a fence of `text`, is told from what a person writes."""
    given = ' class="given"' if row[at].info == "text" else ""
    return f"<pre{given}>{_escaped(row[at].content.rstrip())}</pre>\n"


def _html(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    said = row[at].content
    return "" if said.lstrip().startswith("<!--") else _escaped(said)


def _paragraph(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    """One of a picture alone is as high as that, for lines of words stand further apart than they are high."""
    inner = row[at + 1].children or ()
    alone = env["pictures"] and [token.type for token in inner] == ["image"]
    return '<p style="line-height: 100%">' if alone else str(self.renderToken(row, at, options, env))


def _link(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    made: str = self.renderToken(row, at, options, env) if env["links"] else ""
    return made


def _picture(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    source = str(row[at].attrs["src"])
    if env["pictures"] and ":" not in source:
        return f'<img src="{_escaped(source)}">'
    return _escaped(row[at].content)


def _cell(self: Any, row: "Sequence[Token]", at: int, options: Any, env: dict[str, Any]) -> str:
    """With its side as an attribute, for a style of its own would take a cell's lines from it in Qt."""
    side = str(row[at].attrs.get("style", "")).removeprefix("text-align:")
    return f'<{row[at].tag} align="{side}">' if side else f"<{row[at].tag}>"


_RULES: dict[str, Callable[..., str]] = {
    "text": _text,
    "math_inline": _math,
    "math_inline_double": _displayed,
    "math_block": _displayed,
    "fence": _code,
    "code_block": _code,
    "html_block": _html,
    "html_inline": _html,
    "paragraph_open": _paragraph,
    "th_open": _cell,
    "td_open": _cell,
    "link_open": _link,
    "link_close": _link,
    "image": _picture,
}
