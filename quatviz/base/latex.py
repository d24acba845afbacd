"""Plain-text rendering of LaTeX formulas for output that cannot typeset them, and limits on their complexity."""

import re
import unicodedata
from collections.abc import Sequence
from xml.etree.ElementTree import Element

GREEK = {
    unicodedata.name(symbol).rpartition(" ")[2].lower().replace("lamda", "lambda"): symbol
    for symbol in "αβγδεζηθικλμνξοπρστυφχψω"
}
"""Lowercase Greek letters by name, without the final sigma."""
_SYMBOLS = {
    "times": " × ", "cdot": "·", "pm": "±", "mp": "∓", "le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ", "approx": " ≈ ",
    "propto": " ∝ ", "to": " → ", "partial": "∂", "infty": "∞", "prime": "′", "ast": "∗", "ldots": "…", "dots": "…",
    "lvert": "|", "rvert": "|", "langle": "⟨", "rangle": "⟩", "left": "", "right": "", "big": "", "Big": "",
    "quad": "\u2003", "qquad": "\u2003\u2003", "ddagger": "‡", "degree": "°", "circ": "°", "varphi": "φ", "vartheta": "θ",
    ",": " ", "Gamma": "Γ", "Omega": "Ω", "Delta": "Δ", "Theta": "Θ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
}  # fmt: skip
_FUNCTION_NAMES = ("sin", "cos", "tan", "cot", "exp", "log", "ln", "det", "min", "max")
_SPACE_BEFORE_ARGUMENT = re.compile(rf"\b({'|'.join(_FUNCTION_NAMES)}|dexp|sign) +(?=[(⁻²^])")
_ACCENTS = {"dot": "\u0307", "ddot": "\u0308", "tilde": "\u0303", "bar": "\u0304", "hat": "\u0302"}
_OPENING_COMMANDS = (r"\lvert", r"\langle", r"\left", r"\partial")
_TEXT_COMMANDS = ("mathrm", "text", "operatorname", "mathbf", "boldsymbol", "mathit")
_SUPERSCRIPTS = dict(zip("0123456789+−=()niT′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ′", strict=True))
_SUBSCRIPTS = dict(
    zip("0123456789+−=()aehijklmnoprstuvxβρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵨᵩᵪ", strict=True)
)
_FRACTIONS = {"1/2": "½", "1/3": "⅓", "1/4": "¼", "3/4": "¾", "3/2": "3/2"}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_BINARY_OPERATORS = {"=": " = ", "<": " < ", ">": " > ", "+": " + ", "-": " − "}
_ATOMIC = re.compile(
    r"^[∂d]?[^\W\d_][\u0300-\u036f₀-ₜ]*[²³⁴]?$|^[\d.]+$|^[a-z]*\([^()]*\)$|^\|[^|]*\|[²³⁴]?$"
)
"""Pattern of expressions that need no parentheses when they become a part of a fraction or the argument of a
root.
"""


MAX_FORMULA_LENGTH = 600
"""Largest accepted length of a formula [characters]. The longest formula in quatviz has a few hundred
characters."""
MAX_NESTING = 6
"""Largest nesting depth of braces, growing brackets and tables. Each level doubles the typesetting work."""
_NESTING = re.compile(r"\\left\b|\\right\b|\\begin\b|\\end\b|\\.|[{}]", re.DOTALL)
_NESTING_STEPS = {"{": 1, r"\left": 1, r"\begin": 1, "}": -1, r"\right": -1, r"\end": -1}
_TWICE_LAID_OUT = ("mtable", "mpadded")
"""MathML elements whose content the typesetter processes twice, once to measure it and once to draw it."""

MAX_SHIFT = 40
"""Largest accepted number in a shift or space.

Even in em, the largest unit, this is more than the height of a page.
"""
_LENGTH = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)\s*[a-z]{2}")


class MalformedFormula(ValueError):
    """Raised for text between dollar signs that is not supported LaTeX."""


def refuse_complex_formula(latex: str) -> None:
    """Raise `MalformedFormula` if reading or typesetting a formula would take too long."""
    if len(latex) > MAX_FORMULA_LENGTH:
        raise MalformedFormula(f"more than {MAX_FORMULA_LENGTH} characters")
    depth = 0
    for mark in _NESTING.findall(latex):
        depth = max(depth + _NESTING_STEPS.get(mark, 0), 0)  # ignore closing marks without an opening one
        if depth > MAX_NESTING:
            raise MalformedFormula(f"more than {MAX_NESTING} nested braces")


def refuse_complex_tree(formula: Element) -> None:
    r"""Raise `MalformedFormula` if a formula, given as MathML, would take too long to typeset.

    Counting braces is not enough: `\raise1em\raise1em ...` and `\matrix\matrix ...` nest tables and shifts without
    a brace, and a brace as high as `\raise9999em` is assembled from many small pieces.
    """
    if _layout_depth(formula) > MAX_NESTING:
        raise MalformedFormula(f"more than {MAX_NESTING} nested tables or shifts")
    for element in formula.iter():
        for attribute_value in element.attrib.values():
            length = _LENGTH.fullmatch(attribute_value)
            if length is not None and not float(length[1]) <= MAX_SHIFT:
                raise MalformedFormula(f"a length of {attribute_value}, more than {MAX_SHIFT}")


def _layout_depth(element: Element) -> int:
    """Return the largest number of nested elements that the typesetter lays out twice."""
    tag = element.tag.rpartition("}")[2]
    return (tag in _TWICE_LAID_OUT) + max(map(_layout_depth, element), default=0)


def plain_text(latex: str) -> str:
    r"""Return a formula in Unicode characters: `\tfrac12 L^T \dot\omega` gives ½Lᵀω̇.

    Raises
    ------
    MalformedFormula
        For an unknown command, unmatched braces or an incomplete formula.
    """
    refuse_complex_formula(latex)
    tokens = _TOKEN.findall(latex)[::-1]
    text = _format_sequence(tokens, "")
    if tokens:
        raise MalformedFormula(f"a closing brace without an opening one in {latex!r}")
    text = re.sub(r" *· *", "·", re.sub(r"(?<=[([√∂]) +| +(?=[])])", "", re.sub(r" +", " ", text)))
    return unicodedata.normalize("NFC", text.strip())


def _format_sequence(tokens: list[str], closing: str) -> str:
    """Return the text of the tokens up to the token `closing`.

    The list `tokens` is in reverse order. The tokens up to and including `closing` are removed from it.
    """
    text = ""
    while tokens and tokens[-1] != "}":
        token = tokens.pop()
        if token in ("^", "_"):
            text += _format_script(_format_argument(tokens), token)
        elif token == "'":
            text += "′"
        elif token in _BINARY_OPERATORS:
            is_sign = token in "+-" and (not text.strip() or text.rstrip()[-1] in "(=<>+−,×·[≤≥≈")
            text += _BINARY_OPERATORS[token].strip() if is_sign else _BINARY_OPERATORS[token]
        elif token == ",":
            text += ", "
        elif token.isspace():
            text += " "
        else:
            is_function = token[1:] in (*_FUNCTION_NAMES, "operatorname")
            symbol = _format_token(token, tokens)
            text += f" {symbol} " if is_function else symbol
            while token in _OPENING_COMMANDS and tokens and tokens[-1].isspace():
                tokens.pop()
    if closing:
        if not tokens:
            raise MalformedFormula("a brace is never closed")
        tokens.pop()
    text = re.sub(r" +", " ", text)
    # A name such as cos needs no space before its parenthesis or exponent.
    return _SPACE_BEFORE_ARGUMENT.sub(r"\1", text)


def _format_argument(tokens: list[str]) -> str:
    """Return the text of the next argument: a group in braces or a single token.

    Its tokens are removed from `tokens`.
    """
    while tokens and tokens[-1].isspace():
        tokens.pop()
    if not tokens or tokens[-1] == "}":
        raise MalformedFormula("an argument is missing after a command, ^ or _")
    token = tokens.pop()
    if token == "{":
        return _format_sequence(tokens, "}").strip()
    return {"-": "−", "'": "′"}.get(token) or _format_token(token, tokens)


def _format_token(token: str, tokens: list[str]) -> str:
    """Return the text of one token and of the arguments that it takes from `tokens`."""
    if token == "{":
        return _format_sequence(tokens, "}")
    if not token.startswith("\\"):
        return token
    name = token[1:]
    if name in _ACCENTS:
        content = _format_argument(tokens)
        return content + _ACCENTS[name] if len(content) == 1 else f"({content}){_ACCENTS[name]}"
    if name in _TEXT_COMMANDS:
        return _format_argument(tokens)
    if name in ("frac", "tfrac", "dfrac"):
        numerator, denominator = _format_argument(tokens), _format_argument(tokens)
        return (
            _FRACTIONS.get(f"{numerator}/{denominator}")
            or f"{_parenthesize(numerator)}/{_parenthesize(denominator)}"
        )
    if name == "sqrt":
        return f"√{_parenthesize(_format_argument(tokens))}"
    if name in _FUNCTION_NAMES:
        return name
    symbol = GREEK.get(name) or _SYMBOLS.get(name)
    if symbol is None:
        if name in _SYMBOLS:
            return ""
        raise MalformedFormula(f"{token} is an unknown command")
    return symbol


def _parenthesize(text: str) -> str:
    return text if _ATOMIC.match(text) else f"({text})"


def _format_script(text: str, operator: str) -> str:
    """Format a superscript or subscript, in Unicode super- or subscript characters if all of them exist."""
    characters = _SUPERSCRIPTS if operator == "^" else _SUBSCRIPTS
    compact = text.replace(" ", "")
    if all(character in characters for character in compact):
        return "".join(characters[character] for character in compact)
    is_short = len(compact) == 1 or (operator == "_" and compact.isalnum())
    return f"{operator}{text}" if is_short else f"{operator}({text})"


def spellings(word: str) -> Sequence[str]:
    """Return the spellings of a word. For a Greek letter, these are its name and its symbol: `omega` is also spelled ω."""
    symbol = GREEK.get(word)
    names = [name for name, greek in GREEK.items() if greek == word]
    return [word, *([symbol] if symbol else []), *names[:1]]
