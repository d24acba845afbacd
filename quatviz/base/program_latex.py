"""Typed programs as LaTeX, one formula per line, so that users can check what they typed."""

import ast
import re
from collections.abc import Callable, Sequence

from quatviz.base.latex import GREEK
from quatviz.base.vector_program import program_tree

_SUM, _VECTOR_PRODUCT, _PRODUCT, _POWER, _ATOM = range(5)
"""Operator precedence of the parts of a formula, from weakest to strongest binding."""
_FOUR_NUMBERS = ("p", "p_rate", "g")
"""Names of quantities with four components.

As usual for Euler parameters, their components are numbered from 0 to 3. The components of all other quantities
are numbered from 1.
"""
_UPRIGHT = ("sin", "cos", "tan", "exp", "log", "min", "max")
r"""Functions whose names have a LaTeX command, such as \sin, that sets them upright."""
_COMPARISONS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: r"\le", ast.Gt: ">", ast.GtE: r"\ge"}


def program_latex(text: str) -> list[str]:
    """Return the lines of a program as LaTeX formulas.

    Raises
    ------
    ProgramError
        If the text is not a program.

    Examples
    --------
    >>> print(*program_latex("omega' = solve(J, n - cross(omega, J @ omega))/2"))
    \\dot{\\omega} = \\frac{J^{-1}\\left(n - \\omega\\times J\\,\\omega\\right)}{2}
    """
    return [_line(node) for node in program_tree(text).body]


def _line(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return f"{_name(node.targets[0].id)} = {_read(node.value)[0]}"
    return _read(node.value)[0] if isinstance(node, ast.Expr) else ""


def _name(name: str) -> str:
    """Return a name as LaTeX: Greek letters by their names, the part after the first underscore as subscript, a
    prime as a dot."""
    stem, _, below = name.rstrip("_").partition("_")
    letters = rf"\{stem}" if stem in GREEK or stem in ("Omega", "Gamma", "Delta") else stem
    if len(stem) > 1 and not letters.startswith("\\"):
        numbered = re.fullmatch(r"([A-Za-z])(\d+)", stem)
        letters = f"{numbered[1]}_{{{numbered[2]}}}" if numbered and not below else rf"\mathrm{{{stem}}}"
    if below == "rate":
        return rf"\ddot{{{letters}}}" if name.endswith("_") else rf"\dot{{{letters}}}"
    text = letters + (rf"_{{\mathrm{{{below.replace('_', ' ')}}}}}" if below else "")
    return rf"\dot{{{text}}}" if name.endswith("_") else text


def _wrapped(part: tuple[str, int], least: int) -> str:
    """Return the LaTeX of a part of a formula, in parentheses if its operator precedence is lower than `least`."""
    text, level = part
    return text if level >= least else rf"\left({text}\right)"


def _read(node: ast.expr) -> tuple[str, int]:
    """Return the LaTeX text of an expression and its operator precedence."""
    match node:
        case ast.Constant(value=number):
            return f"{number:.6g}" if isinstance(number, float) else str(number), _ATOM
        case ast.Name(id=name):
            return (r"\pi" if name == "pi" else _name(name)), _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_wrapped(_read(operand), _VECTOR_PRODUCT)}", _SUM
        case ast.UnaryOp(operand=operand):
            return _read(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            return _operation(left, operator, right)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            sign = _COMPARISONS.get(type(operator), "?")
            return f"{_read(left)[0]} {sign} {_read(right)[0]}", _SUM
        case ast.List(elts=elements):
            components = r",\ ".join(_read(element)[0] for element in elements)
            return rf"\left[{components}\right]", _ATOM
        case ast.Attribute(value=inner):
            return f"{_wrapped(_read(inner), _ATOM)}^{{T}}", _POWER
        case ast.Subscript(value=inner, slice=index):
            return _component(inner, index), _ATOM
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, [_read(argument) for argument in arguments])
    return "?", _ATOM


def _operation(left: ast.expr, operator: ast.operator, right: ast.expr) -> tuple[str, int]:
    first, second = _read(left), _read(right)
    match operator:
        case ast.Add():
            return f"{first[0]} + {second[0]}", _SUM
        case ast.Sub():
            return f"{first[0]} - {_wrapped(second, _VECTOR_PRODUCT)}", _SUM
        case ast.Div():
            return rf"\frac{{{first[0]}}}{{{second[0]}}}", _ATOM
        case ast.Pow():
            return f"{{{_wrapped(first, _ATOM)}}}^{{{second[0]}}}", _POWER
    between = r"\," if not second[0][:1].isdigit() else r"\cdot "
    return f"{_wrapped(first, _PRODUCT)}{between}{_wrapped(second, _PRODUCT)}", _PRODUCT


def _component(inner: ast.expr, index: ast.expr) -> str:
    text = _wrapped(_read(inner), _ATOM)
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    numbers = [
        part.value for part in indices if isinstance(part, ast.Constant) and isinstance(part.value, int)
    ]
    if len(numbers) < len(indices):
        return f"{{{text}}}_{{1:3}}"
    first = 0 if isinstance(inner, ast.Name) and inner.id in _FOUR_NUMBERS else 1
    return f"{{{text}}}_{{{''.join(str(number + first) for number in numbers)}}}"


def _call(name: str, arguments: Sequence[tuple[str, int]]) -> tuple[str, int]:
    write = _CALLS.get(name)
    if write is not None and len(arguments) == write[0]:
        return write[1](*arguments)
    title = rf"\{name}" if name in _UPRIGHT else rf"\mathrm{{{name}}}"
    inner = r",\ ".join(text for text, _ in arguments)
    return rf"{title}\left({inner}\right)", _ATOM


Part = tuple[str, int]
"""LaTeX text and operator precedence of a part of a formula."""
_CALLS: dict[str, tuple[int, Callable[..., Part]]] = {
    "sqrt": (1, lambda a: (rf"\sqrt{{{a[0]}}}", _ATOM)),
    "abs": (1, lambda a: (rf"\left|{a[0]}\right|", _ATOM)),
    "norm": (1, lambda a: (rf"\left|{a[0]}\right|", _ATOM)),
    "conjugate": (1, lambda a: (rf"\bar{{{a[0]}}}", _ATOM)),
    "cross": (2, lambda a, b: (rf"{_wrapped(a, _PRODUCT)}\times {_wrapped(b, _PRODUCT)}", _VECTOR_PRODUCT)),
    "dot": (2, lambda a, b: (rf"{_wrapped(a, _PRODUCT)}\cdot {_wrapped(b, _PRODUCT)}", _VECTOR_PRODUCT)),
    "product": (2, lambda a, b: (rf"{_wrapped(a, _PRODUCT)}\ast {_wrapped(b, _PRODUCT)}", _VECTOR_PRODUCT)),
    "solve": (2, lambda a, b: (rf"{_wrapped(a, _ATOM)}^{{-1}}{_wrapped(b, _POWER)}", _PRODUCT)),
}
"""Functions that LaTeX writes without their name.

Each value is the number of arguments and a function that returns the formula as a `Part`.
"""
