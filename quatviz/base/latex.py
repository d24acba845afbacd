"""How LaTeX reads where nothing can be typeset."""

import re
import unicodedata
from collections.abc import Sequence
from xml.etree.ElementTree import Element

GREEK = {
    unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda"): letter
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
"""Small Greek letters by name, without the final sigma."""
_SIGNS = {
    "times": " × ", "cdot": "·", "pm": "±", "mp": "∓", "le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ", "approx": " ≈ ",
    "propto": " ∝ ", "to": " → ", "partial": "∂", "infty": "∞", "prime": "′", "ast": "∗", "ldots": "…", "dots": "…",
    "lvert": "|", "rvert": "|", "langle": "⟨", "rangle": "⟩", "left": "", "right": "", "big": "", "Big": "",
    "quad": "\u2003", "qquad": "\u2003\u2003", "ddagger": "‡", "degree": "°", "circ": "°", "varphi": "φ", "vartheta": "θ",
    ",": " ", "Gamma": "Γ", "Omega": "Ω", "Delta": "Δ", "Theta": "Θ", "Sigma": "Σ", "Phi": "Φ",
}  # fmt: skip
_NAMES = ("sin", "cos", "tan", "cot", "exp", "log", "ln", "det", "min", "max")
_BEFORE_ARGUMENT = re.compile(rf"\b({'|'.join(_NAMES)}|dexp|sign) +(?=[(⁻²^])")
_MARKS = {"dot": "\u0307", "ddot": "\u0308", "tilde": "\u0303", "bar": "\u0304", "hat": "\u0302"}
_OPENING = (r"\lvert", r"\langle", r"\left", r"\partial")
_UPRIGHT = ("mathrm", "text", "operatorname", "mathbf", "boldsymbol", "mathit")
_RAISED = dict(zip("0123456789+−=()niT′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ′", strict=True))
_LOWERED = dict(
    zip("0123456789+−=()aehijklmnoprstuvxβρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵨᵩᵪ", strict=True)
)
_PARTS = {"1/2": "½", "1/3": "⅓", "1/4": "¼", "3/4": "¾", "3/2": "3/2"}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_BINARY = {"=": " = ", "<": " < ", ">": " > ", "+": " + ", "-": " − "}
_ALONE = re.compile(r"^[∂d]?[^\W\d_][\u0300-\u036f₀-ₜ]*[²³⁴]?$|^[\d.]+$|^[a-z]*\([^()]*\)$|^\|[^|]*\|[²³⁴]?$")
"""What needs no parentheses within a fraction or under a root."""


LONGEST = 600
"""Characters of a formula; the longest that quatviz itself writes has some hundred."""
DEEPEST = 6
"""Braces, growing brackets and tables within one another: each doubles what the typesetter has to do."""
_NESTING = re.compile(r"\\left\b|\\right\b|\\begin\b|\\end\b|\\.|[{}]", re.DOTALL)
_DEEPER = {"{": 1, r"\left": 1, r"\begin": 1, "}": -1, r"\right": -1, r"\end": -1}
_TWICE = ("mtable", "mpadded")
"""Elements of MathML whose content the typesetter lays out twice: to know its size, and to draw it."""

FARTHEST = 40
"""Of a shift or a space, in heights of its letters or in smaller units: a page has fewer lines."""
_LENGTH = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)\s*[a-z]{2}")


class Malformed(ValueError):
    """What stands between the dollars is no LaTeX that this program knows."""


def refuse_endless(latex: str) -> None:
    """`Malformed` where reading or typesetting a formula would take for ever."""
    if len(latex) > LONGEST:
        raise Malformed(f"more than {LONGEST} characters")
    deep = 0
    for mark in _NESTING.findall(latex):
        deep = max(deep + _DEEPER.get(mark, 0), 0)  # nothing is ended that did not begin
        if deep > DEEPEST:
            raise Malformed(f"more than {DEEPEST} braces within one another")


def refuse_endless_tree(formula: Element) -> None:
    r"""`Malformed` where typesetting what was read of a formula, in MathML, would take for ever: `\raise1em\raise1em ...` and
    `\matrix\matrix ...` are tables and shifts within one another without a brace, and a brace as high as `\raise9999em` is put
    together from small pieces."""
    if _doubled(formula) > DEEPEST:
        raise Malformed(f"more than {DEEPEST} tables or shifts within one another")
    for element in formula.iter():
        for told in element.attrib.values():
            length = _LENGTH.fullmatch(told)
            if length is not None and not float(length[1]) <= FARTHEST:
                raise Malformed(f"a length of {told}, more than {FARTHEST}")


def _doubled(element: Element) -> int:
    """How often what stands deepest within an element is done twice."""
    kind = element.tag.rpartition("}")[2]
    return (kind in _TWICE) + max(map(_doubled, element), default=0)


def plain_text(latex: str) -> str:
    r"""A formula in letters of Unicode: `\tfrac12 L^T \dot\omega` is ½Lᵀω̇. `Malformed` where it has a command that is not
    known here, braces that do not match, or no end."""
    refuse_endless(latex)
    tokens = _TOKEN.findall(latex)[::-1]
    said = _row(tokens, "")
    if tokens:
        raise Malformed(f"one brace too many in {latex!r}")
    said = re.sub(r" *· *", "·", re.sub(r"(?<=[([√∂]) +| +(?=[])])", "", re.sub(r" +", " ", said)))
    return unicodedata.normalize("NFC", said.strip())


def _row(tokens: list[str], end: str) -> str:
    """Up to the token `end`, which is taken too. `tokens` stand in reverse order."""
    made = ""
    while tokens and tokens[-1] != "}":
        token = tokens.pop()
        if token in ("^", "_"):
            made += _moved(_argument(tokens), token)
        elif token == "'":
            made += "′"
        elif token in _BINARY:
            alone = token in "+-" and (not made.strip() or made.rstrip()[-1] in "(=<>+−,×·[≤≥≈")
            made += _BINARY[token].strip() if alone else _BINARY[token]
        elif token == ",":
            made += ", "
        elif token.isspace():
            made += " "
        else:
            apart = token[1:] in (*_NAMES, "operatorname")
            said = _said(token, tokens)
            made += f" {said} " if apart else said
            while token in _OPENING and tokens and tokens[-1].isspace():
                tokens.pop()
    if end:
        if not tokens:
            raise Malformed("a brace is never closed")
        tokens.pop()
    made = re.sub(r" +", " ", made)
    # A name such as cos needs no space before its parenthesis or exponent.
    return _BEFORE_ARGUMENT.sub(r"\1", made)


def _argument(tokens: list[str]) -> str:
    """A group in braces, or one token."""
    while tokens and tokens[-1].isspace():
        tokens.pop()
    if not tokens or tokens[-1] == "}":
        raise Malformed("something is missing behind a command, ^ or _")
    token = tokens.pop()
    if token == "{":
        return _row(tokens, "}").strip()
    return {"-": "−", "'": "′"}.get(token) or _said(token, tokens)


def _said(token: str, tokens: list[str]) -> str:
    """One token with its arguments."""
    if token == "{":
        return _row(tokens, "}")
    if not token.startswith("\\"):
        return token
    name = token[1:]
    if name in _MARKS:
        within = _argument(tokens)
        return within + _MARKS[name] if len(within) == 1 else f"({within}){_MARKS[name]}"
    if name in _UPRIGHT:
        return _argument(tokens)
    if name in ("frac", "tfrac", "dfrac"):
        above, below = _argument(tokens), _argument(tokens)
        return _PARTS.get(f"{above}/{below}") or f"{_grouped(above)}/{_grouped(below)}"
    if name == "sqrt":
        return f"√{_grouped(_argument(tokens))}"
    if name in _NAMES:
        return name
    said = GREEK.get(name) or _SIGNS.get(name)
    if said is None:
        if name in _SIGNS:
            return ""
        raise Malformed(f"{token} is not known")
    return said


def _grouped(said: str) -> str:
    return said if _ALONE.match(said) else f"({said})"


def _moved(said: str, how: str) -> str:
    """As a superscript or a subscript, in letters of that kind where there are such."""
    letters = _RAISED if how == "^" else _LOWERED
    tight = said.replace(" ", "")
    if all(letter in letters for letter in tight):
        return "".join(letters[letter] for letter in tight)
    short = len(tight) == 1 or (how == "_" and tight.isalnum())
    return f"{how}{said}" if short else f"{how}({said})"


def spellings(word: str) -> Sequence[str]:
    """A word as it may stand in a text: `omega` is also written ω, and ω omega."""
    letter = GREEK.get(word)
    names = [name for name, one in GREEK.items() if one == word]
    return [word, *([letter] if letter else []), *names[:1]]
