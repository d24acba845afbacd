"""Short vector programs such as torque laws, compiled from text into scalar statements, never executed as typed.

Each line is `name = expression`; the last line may be an expression alone; `#` begins a comment. Python's own
parser reads the text, and every node of the syntax tree is either supported below or rejected with its position.
The result consists of statements with one operation each, whose numbers and names are generated in this module, for
NumPy and for compiled kernels.

Values are numbers, vectors of 3 or 4 components, 3x3 matrices, and conditions for `where`.
"""

import ast
import difflib
import keyword
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

from quatviz.base.errors import InputError, phrase, suggest_name

MAX_PROGRAM_LENGTH = 4000
"""Largest number of characters of a program."""
MAX_STATEMENTS = 1500
"""Largest number of scalar operations of a program."""
MAX_DEPTH = 30
"""Largest nesting depth of parentheses and operations."""
_MAX_NAMES_IN_ERROR = 40
"""Largest number of unknown names that one error names, so that it stays short and quick to build."""
NUMBER, CONDITION, VECTOR, QUATERNION, MATRIX = (1,), (0,), (3,), (4,), (3, 3)
"""Shapes of values.

A condition has one component; its shape is written (0,) to distinguish it from a number, and it is allowed in
`where` only.
"""
INVERSE_OF_J = "inverse of J"
"""Name of the program input that holds the inverse of J.

It contains blanks, so that no program can refer to it. If this input is given, `solve(J, v)` is compiled as a
multiplication by it.
"""
_SHAPE_NAMES = {
    NUMBER: "a number", CONDITION: "a condition", VECTOR: "a vector (3)", QUATERNION: "four numbers", MATRIX: "a matrix (3, 3)",
}  # fmt: skip
_ALLOWED = re.compile(r"[A-Za-z0-9_.,+\-*/@()\[\]<>=:# \t\r\n]*\Z", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z", re.ASCII)
_COMPONENT_NAME = re.compile(r"([A-Za-z]\w*?)_?([0-9])([0-9])?\Z", re.ASCII)
"""Pattern of a name such as p1 or A02, which may denote a component of the vector p or of the matrix A."""
_SIGNS_IN_A_ROW = re.compile(r"(?:[+\-~]\s*){8}|(?:\bnot\b\s*){8}")
_NUMBER_BESIDE_NAME = re.compile(r"(?:(?<![\w.])\d++\.?+\d*+|\.\d++)(?:[eE][+-]?\d++)?+(?=[A-Za-z_])")
"""Pattern of a number that a letter follows directly. Python's parser warns about such numbers, even after a name or a point,
as in `t.5or 1`."""
_OPERAND = r"([A-Za-z]\w*(?:\[[^\[\]]*\])?|\([^()]*\))"
_CROSS_SIGN = re.compile(rf"(?<!\w){_OPERAND}(?:\s+x\s+|\s*\u00d7\s*){_OPERAND}")
"""Pattern of a cross product that is written with the letter x or the sign U+00D7."""
_OPEN, _CLOSE = "([", ")]"
_COMMENT = re.compile(r"#[^\r\n]*")
_TOKEN = re.compile(r"\s*([\w.]+|[^\s#])")
"""Pattern of a word, a number or a sign, with the blanks before it."""

UNARY_FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "tanh", "abs", "sign")
"""Functions of one number, applied to each component of a vector."""
FUNCTIONS = (
    *UNARY_FUNCTIONS, "atan2", "min", "max", "clip", "where", "cross", "dot", "norm", "conjugate", "product", "solve",
)  # fmt: skip
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_COMPARISONS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

Shape = tuple[int, ...]


class ProgramError(InputError):
    """Error for a text that is not a valid program, at `line` (from 1) and `column` (from 0)."""

    def __init__(self, line: int, column: int, expected: str, actual: str, remedy: str) -> None:
        self.line, self.column = line, column
        super().__init__(
            phrase("line {line}, character {column}", line=line, column=column + 1),
            expected=expected, found=actual, remedy=remedy, topic="own#a-torque-law",
        )  # fmt: skip


class UnknownNameError(ProgramError):
    """Error for a program that reads unknown names.

    Parameters
    ----------
    line, column
        Position of the first unknown name.
    remedies
        Remedy of each unknown name, by name, in the order of the text.
    remedy
        Remedy of the whole error. By default, it consists of the remedies of all names.
    """

    def __init__(self, line: int, column: int, remedies: Mapping[str, str], remedy: str = "") -> None:
        self.remedies = dict(remedies)
        first, *others = remedies
        names = ", ".join(map(repr, remedies))
        super().__init__(
            line, column, "known names" if others else "a known name",
            phrase("the unknown names {names}", names=names) if others else phrase("the unknown name {name!r}", name=first),
            remedy or combine_remedies(remedies),
        )  # fmt: skip


def combine_remedies(remedies: Mapping[str, str]) -> str:
    """Return one remedy that contains the remedies of all names. If there are several, each follows the names to which
    it applies.

    Names with the same remedy share it.
    """
    names_by_remedy: dict[str, list[str]] = {}
    for name, remedy in remedies.items():
        names_by_remedy.setdefault(remedy, []).append(name)
    if len(names_by_remedy) == 1:
        return next(iter(names_by_remedy))
    parts: list[str] = [
        phrase("{name}: {remedy}", name=", ".join(names), remedy=phrase(remedy))
        for remedy, names in names_by_remedy.items()
    ]
    return reduce(_join_remedies, parts)


def _join_remedies(first: str, second: str) -> str:
    if first.endswith("?"):
        return phrase("{first} {second}", first=first, second=second)
    return phrase("{first}; {second}", first=first, second=second)


class Value(NamedTuple):
    """A scalar, vector or matrix in a program: its shape, and the names of the statements or constants that
    give its components, row by row."""

    shape: Shape
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """A compiled program: scalar statements and the names of the components of its result.

    A statement has the form `name = operation`. It assigns `_0`, `_1`, ... and reads earlier results, the
    components of the inputs, the parameters `_g0`, `_g1`, ... and the constants `_k0`, `_k1`, ... `names` are the
    variables that the program assigns, with their shapes, in order.
    """

    constants: tuple[float, ...]
    """Values of the constants `_k0`, `_k1`, ... in the statements."""
    statements: tuple[str, ...]
    result: tuple[str, ...]
    names: Mapping[str, Shape]


def read_program(
    text: str,
    inputs: Mapping[str, Value],
    parameters: Sequence[str],
    result: Shape,
    result_name: str,
    remedies: Mapping[str, str] | None = None,
) -> Program:
    """Compile a program.

    Parameters
    ----------
    text
        Text of the program.
    inputs
        Values that the program may read, by name.
    parameters
        Names of scalar parameters that the program may read.
    result
        Required shape of the result.
    result_name
        Name of the result, if the last line assigns one.
    remedies
        Remedies for unknown names that users expect to be defined, by name. The remedy for `e1` is not used if the
        program assigns `e`.

    Raises
    ------
    ProgramError
        If the text is not such a program, with line and column.
    """
    tree = _parse(text)
    values = {**inputs, **{name: Value(NUMBER, (f"_g{k}",)) for k, name in enumerate(parameters)}}
    assigned = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    remedies = {
        name: remedy for name, remedy in (remedies or {}).items() if _vector_name(name) not in assigned
    }
    writer = _Writer(text, values, frozenset(values), remedies=remedies)
    if not tree.body:
        raise ProgramError(1, 0, "a program", "an empty text", phrase("write {name} = ...", name=result_name))
    *_, value = _read_lines(writer, tree, ends_with_result=True)
    last = tree.body[-1]
    if (
        isinstance(last, ast.Assign)
        and isinstance(target := last.targets[0], ast.Name)
        and target.id != result_name
    ):
        raise writer.error(
            last, phrase("{name} = ... as the last line", name=result_name), target.id,
            phrase("call the result {name}", name=result_name),
        )  # fmt: skip
    if value.shape != result:
        raise writer.error(
            last, _SHAPE_NAMES[result], _SHAPE_NAMES[value.shape],
            "write a vector with brackets, as in [0, 0, 1]" if result == VECTOR else "change the last line",
        )  # fmt: skip
    return Program(tuple(writer.constants), tuple(writer.statements), value.parts, writer.names)


def _read_lines(writer: "_Writer", tree: ast.Module, ends_with_result: bool) -> list[Value]:
    """Compile the lines of a program and return their values. The error about an unknown name names all unknown names.

    The last line may be an expression if `ends_with_result`.
    """
    known = frozenset(writer.values)
    try:
        return [
            writer.read_line(node, is_last=ends_with_result and node is tree.body[-1]) for node in tree.body
        ]
    except UnknownNameError as fault:
        names = _undefined_names(tree, known)[:_MAX_NAMES_IN_ERROR]
        remedies = fault.remedies | {writer.shown(name): writer.remedy_for_name(name) for name in names}
        raise UnknownNameError(fault.line, fault.column, remedies) from None


def _undefined_names(tree: ast.Module, known: frozenset[str]) -> list[str]:
    """Return the names that a program reads before it assigns them and that are not `known`, in the order of
    the text."""
    defined, undefined = {*known, "pi"}, dict[str, None]()
    for line in tree.body:
        functions = {id(node.func) for node in ast.walk(line) if isinstance(node, ast.Call)}
        names = [node for node in ast.walk(line) if isinstance(node, ast.Name) and id(node) not in functions]
        for node in sorted(names, key=lambda node: (node.lineno, node.col_offset)):
            if isinstance(node.ctx, ast.Load) and node.id not in defined:
                undefined[node.id] = None
        defined |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return list(undefined)


@dataclass(frozen=True)
class Assignments:
    """A compiled program of lines `name = expression`: its values by name, in order."""

    constants: tuple[float, ...] = ()
    statements: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)


def read_assignments(
    text: str, inputs: Mapping[str, Value], before: Assignments | None = None
) -> Assignments:
    """Compile lines `name = expression`, which may include rates such as `s' = expression`.

    Parameters
    ----------
    text
        Text of the lines. The rate `s'` is stored under that name.
    inputs
        Values that the lines may read, by name.
    before
        Preceding program. Its statements come first and its constants are shared.

    Raises
    ------
    ProgramError
        If the text is not such a program, with line and column.

    Examples
    --------
    >>> program = read_assignments("a = 2*x\\nx' = -a", {"x": Value(NUMBER, ("x",))})
    >>> program.statements, list(program.values)
    (('_0 = _k0 * x', '_1 = -_0'), ['a', "x'"])
    """
    before = before or Assignments()
    _refuse_long_text(text)
    if clash := _PRIME_STAND_IN.search(text):
        raise _error_at(
            text, clash.start(), "a name that ends in a letter or a digit", repr(clash[0]), "choose another name"
        )  # fmt: skip
    known = {name.replace("'", "_"): value for name, value in inputs.items()}
    writer = _Writer(
        text, dict(known), frozenset(known), list(before.constants), list(before.statements), has_rates=True
    )
    _read_lines(writer, program_tree(text), ends_with_result=False)
    primed = {f"{name}_": f"{name}'" for name in _PRIMED_NAME.findall(text)}
    values = {primed.get(name, name): writer.values[name] for name in writer.names}
    return Assignments(tuple(writer.constants), tuple(writer.statements), values)


def program_tree(text: str) -> ast.Module:
    """Return the syntax tree of a program, in which `s_` stands for `s'`; its nodes are not checked."""
    _refuse_long_text(text)
    return _parse(_PRIME.sub("_", text))


def names_in(text: str) -> frozenset[str]:
    """Return all names that occur in a valid program.

    >>> sorted(names_in("e = p[1:]\nn = -K*e"))
    ['K', 'e', 'n', 'p']
    """
    return frozenset(node.id for node in ast.walk(program_tree(text)) if isinstance(node, ast.Name))


_PRIME = re.compile(r"(?<=[A-Za-z0-9])'")
_PRIME_STAND_IN = re.compile(r"\b[A-Za-z][A-Za-z0-9_]*_\b")
_PRIMED_NAME = re.compile(r"([A-Za-z][A-Za-z0-9_]*)'")


def assigned_rates(text: str) -> list[str]:
    """Return the names whose rates a text assigns, in order.

    >>> assigned_rates("a = 2\\nomega' = -a*omega  # s' =\\n s' = omega")
    ['omega', 's']
    """
    return list(dict.fromkeys(_RATE_LINE.findall(text)))


_RATE_LINE = re.compile(r"^[ \t]*([A-Za-z][A-Za-z0-9_]*)'[ \t]*=(?!=)", re.MULTILINE)


def refuse_quotient_rates(text: str) -> None:
    """Reject rates that are written as a quotient, as in `dh/dt = ...`.

    Raises
    ------
    ProgramError
        If a line begins with such a quotient.
    """
    if quotient := _QUOTIENT_LINE.search(text):
        raise _error_at(
            text, quotient.start(1), phrase("rates as in {name}' = ...", name=quotient[2]), repr(quotient[1]),
            phrase("write {name}' = ...", name=quotient[2]),
        )  # fmt: skip


_QUOTIENT_LINE = re.compile(
    r"^[ \t]*(d[ \t]?([A-Za-z][A-Za-z0-9_]*)[ \t]?/[ \t]?d[ \t]?t)[ \t]*=(?!=)", re.MULTILINE
)


def is_valid_name(name: str) -> bool:
    """Return True if a program may assign a variable of this name."""
    return bool(_NAME.match(name)) and name not in FUNCTIONS and name not in _RESERVED


def is_misspelled(name: str, known: Iterable[str]) -> bool:
    """Return True if one or two letters of a name of four letters or more are wrong, as in `omgea`.

    A name with more or fewer letters than all `known` names, such as `omega0`, counts as a new name and not as a
    misspelling.
    """
    similar = [other for other in (*known, *FUNCTIONS) if len(other) == len(name) >= 4]
    return bool(difflib.get_close_matches(name, similar, n=1, cutoff=0.75))


_RESERVED = frozenset((*keyword.kwlist, "pi"))


def _refuse_long_text(text: str) -> None:
    if len(text) > MAX_PROGRAM_LENGTH:
        raise ProgramError(
            1,
            0,
            phrase("at most {most} characters", most=MAX_PROGRAM_LENGTH),
            f"{len(text)}",
            "shorten the program",
        )


def _parse(text: str) -> ast.Module:
    """Return the syntax tree of a text. A text that would take Python's parser too long is rejected first."""
    _refuse_long_text(text)
    if not _ALLOWED.match(text):
        index = next(k for k, character in enumerate(text) if not _ALLOWED.match(character))
        raise _error_at(
            text, index, "letters, digits and + - * / @ ( ) [ ] , . < > =", repr(text[index]),
            _cross_remedy(text.splitlines()[text.count("\n", 0, index)]) or "remove it",
        )  # fmt: skip
    code = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)  # with the same positions
    _check_brackets(code)
    if signs := _SIGNS_IN_A_ROW.search(code):
        raise _error_at(text, signs.start(), "an expression", "signs in a row", "remove them")
    if number := _NUMBER_BESIDE_NAME.search(code):
        result = phrase("{number} directly beside a name", number=number[0])
        raise _error_at(
            text, number.start(), "an operator between them", result, "write * for a product, as in 2*t"
        )
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, max((error.offset or 1) - 1, 0)
        if cross_remedy := _cross_remedy("".join(text.splitlines()[line - 1 : line])):
            raise ProgramError(
                line, column, "an operator or a function", "x as the sign of a cross product", cross_remedy
            ) from None
        remedy = "complete the line, or remove what does not belong there"
        if "forgot a comma" in error.msg:
            remedy = "write commas between values, as in [0, 0, 1]"
        elif isinstance(error, IndentationError):
            remedy = "remove the blanks before the line"
        raise ProgramError(
            line, column, "lines such as u = 2*sin(t)", _token_at(text, line, column), remedy
        ) from None
    except (MemoryError, RecursionError, ValueError, OverflowError):
        raise ProgramError(
            1,
            0,
            "a program",
            "an expression that is nested too deeply",
            "assign parts of the expression to names on lines above",
        ) from None


def _cross_remedy(line: str) -> str:
    """Return the remedy for a cross product that is written as `a x b` in a line with an error, or ""."""
    match = _CROSS_SIGN.search(line)
    if match is None:
        return ""
    first, second = (operand.removeprefix("(").removesuffix(")") for operand in match.groups())
    return phrase("write cross({first}, {second})", first=first, second=second)


def _check_brackets(text: str) -> None:
    """Reject a text whose brackets are nested too deeply or do not match."""
    open_brackets: list[int] = []
    for index in (index for index, character in enumerate(text) if character in _OPEN + _CLOSE):
        if text[index] in _OPEN:
            open_brackets.append(index)
            if len(open_brackets) > MAX_DEPTH:
                raise _error_at(
                    text,
                    index,
                    "fewer parentheses",
                    phrase("more than {most} levels of nesting", most=MAX_DEPTH),
                    "assign parts of the expression to names on lines above",
                )
            continue
        if not open_brackets:
            result = phrase("{bracket!r} without an opening bracket", bracket=text[index])
            raise _error_at(text, index, "an opening bracket before it", result, "remove it")
        closing = _closing_bracket(text[open_brackets.pop()])
        if text[index] != closing:
            expected = phrase("the closing bracket {bracket!r}", bracket=closing)
            raise _error_at(
                text, index, expected, repr(text[index]), phrase("write {bracket!r} here", bracket=closing)
            )
    if open_brackets:
        bracket = text[open_brackets[-1]]
        closing = _closing_bracket(bracket)
        raise _error_at(
            text, open_brackets[-1], phrase("a closing bracket {bracket!r}", bracket=closing),
            phrase("{bracket!r} that is never closed", bracket=bracket), phrase("add {bracket!r}", bracket=closing),
        )  # fmt: skip


def _closing_bracket(opening: str) -> str:
    return _CLOSE[_OPEN.index(opening)]


def _token_at(text: str, line: int, column: int) -> str:
    """Return the word or sign at a position of a text, in quotation marks, or the words "the end of the
    line".
    """
    lines = text.splitlines()
    token = _TOKEN.match(lines[line - 1], column) if line <= len(lines) else None
    return repr(token[1]) if token is not None else "the end of the line"


def _error_at(text: str, index: int, expected: str, actual: str, remedy: str) -> ProgramError:
    before = text[:index]
    return ProgramError(before.count("\n") + 1, index - (before.rfind("\n") + 1), expected, actual, remedy)


@dataclass
class _Writer:
    """Compiler that translates the syntax tree of a program into scalar statements."""

    text: str
    values: dict[str, Value]
    inputs: frozenset[str]
    constants: list[float] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    names: dict[str, Shape] = field(default_factory=dict)
    remedies: Mapping[str, str] = field(default_factory=dict)
    has_rates: bool = False
    """True if `s_` stands for `s'`."""
    depth: int = 0

    def error(self, node: ast.AST, expected: str, actual: str, remedy: str) -> ProgramError:
        """Return the error for a syntax node, with its line and column."""
        return ProgramError(
            getattr(node, "lineno", 1), getattr(node, "col_offset", 0), expected, actual, remedy
        )

    def read_line(self, node: ast.stmt, is_last: bool) -> Value:
        """Compile one line of the program and return its value."""
        if isinstance(node, ast.Expr) and is_last:
            return self.read(node.value)
        if not (
            isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ):
            raise self.error(
                node, "a line name = expression", type(node).__name__.lower(), "write one assignment a line"
            )
        name = node.targets[0].id
        if name in self.inputs or not is_valid_name(name):
            raise self.error(
                node, "a name of your own", repr(name), "choose another name: this name is predefined"
            )
        value = self.read(node.value)
        self.values[name] = value
        self.names[name] = value.shape
        return value

    def read(self, node: ast.expr) -> Value:
        """Compile an expression and return its value."""
        self.depth += 1
        if self.depth > 2 * MAX_DEPTH:
            raise self.error(
                node,
                "a shorter expression",
                "too many nested operations",
                "assign parts of the expression to names on lines above",
            )
        value = self._read(node)
        self.depth -= 1
        return value

    def _read(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | str() | bytes() | complex() | None):
                raise self.error(node, "a number", "something else", "write a number")
            case ast.Constant(value=int() | float() as number):
                return self._number(node, number)
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.read(operand)
                self._refuse_condition(operand, value)
                return self._map(value.shape, [f"-{part}" for part in value.parts])
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.read(operand)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return self._matrix_product(node, left, right)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                return self._operation(node, _OPERATORS[type(operator)], left, right)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if (
                type(operator) in _COMPARISONS
            ):
                return self._comparison(node, _COMPARISONS[type(operator)], left, right)
            case ast.List(elts=elements):
                return self._vector(node, elements)
            case ast.Attribute(value=inner, attr="T"):
                return self._transposed(node, self.read(inner))
            case ast.Subscript(value=inner, slice=index):
                return self._component(node, self.read(inner), index)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return self._call(node, name, arguments)
            case ast.Call(func=ast.Name(id=name)):
                remedy = suggest_name(name, FUNCTIONS, otherwise=f"use {', '.join(FUNCTIONS)}")
                raise self.error(node, "a known function", repr(name), remedy)
        raise self.error(
            node, "an expression", type(node).__name__.lower(), "use + - * / ** @, brackets and functions"
        )

    def _emit(self, operation: str) -> str:
        """Append a scalar statement and return the name of its result."""
        if len(self.statements) >= MAX_STATEMENTS:
            raise ProgramError(
                1, 0, phrase("at most {most} operations", most=MAX_STATEMENTS), "more", "shorten the program"
            )
        name = f"_{len(self.statements)}"
        self.statements.append(f"{name} = {operation}")
        return name

    def _map(self, shape: Shape, operations: Sequence[str]) -> Value:
        return Value(shape, tuple(map(self._emit, operations)))

    def _number(self, node: ast.expr, number: float) -> Value:
        try:
            value = float(number)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.error(
                node, "a number up to 1.8e308", "a number that is too large", "write a smaller one"
            )
        return self._constant(value)

    def _constant(self, value: float) -> Value:
        if value not in self.constants:
            self.constants.append(value)
        return Value(NUMBER, (f"_k{self.constants.index(value)}",))

    def _named(self, node: ast.expr, name: str) -> Value:
        if name == "pi":
            return self._constant(math.pi)
        if name not in self.values:
            raise UnknownNameError(
                node.lineno, node.col_offset, {self.shown(name): self.remedy_for_name(name)}
            )
        return self.values[name]

    def shown(self, name: str) -> str:
        """Return a name as the user has typed it."""
        return f"{name[:-1]}'" if self.has_rates and name.endswith("_") else name

    def remedy_for_name(self, name: str) -> str:
        """Return the remedy that the error about an unknown name suggests."""
        if name in self.remedies:
            return self.remedies[name]
        if component := _component_text(name, self.values):
            return phrase("did you mean {component}? Components are counted from 0", component=component)
        known = [*(self.shown(known) for known in self.values if known != INVERSE_OF_J), "pi"]
        otherwise = phrase("use one of {names}", names=", ".join(known))
        return suggest_name(self.shown(name), [*known, *FUNCTIONS], otherwise=otherwise)

    def _refuse_condition(self, node: ast.expr, value: Value) -> None:
        if value.shape == CONDITION:
            raise self.error(node, "a number or a vector", "a condition", "use where(condition, a, b)")

    def _operation(self, node: ast.expr, sign: str, left_part: ast.expr, right: ast.expr) -> Value:
        first, second = self.read(left_part), self.read(right)
        self._refuse_condition(left_part, first)
        self._refuse_condition(right, second)
        scales = (sign == "*" and NUMBER in (first.shape, second.shape)) or (
            sign == "/" and second.shape == NUMBER
        )
        if first.shape != second.shape and not scales:
            raise self._shape_error(node, sign, first, second)
        if first.shape == second.shape and first.shape != NUMBER and sign not in "+-":
            raise self._shape_error(node, sign, first, second)
        if sign == "**" and first.shape != NUMBER:
            raise self._shape_error(node, sign, first, second)
        shape = max(first.shape, second.shape, key=lambda shape: (math.prod(shape), len(shape)))
        return self._map(shape, [f"{a} {sign} {b}" for a, b in _paired(first, second)])

    def _shape_error(self, node: ast.expr, sign: str, first: Value, second: Value) -> ProgramError:
        remedies = {
            "*": "use dot(a, b), cross(a, b) or A @ v", "/": "divide by a number, such as norm(v)", "**": "use dot(v, v)",
            "@": "write A @ v, A.T @ v, or dot(a, b)",
        }  # fmt: skip
        return self.error(
            node, phrase("operands of shapes that {sign} accepts", sign=sign),
            phrase("{first} {sign} {second}", first=_SHAPE_NAMES[first.shape], sign=sign, second=_SHAPE_NAMES[second.shape]),
            remedies.get(sign, "give both operands the same shape"),
        )  # fmt: skip

    def _matrix_product(self, node: ast.expr, left_part: ast.expr, right: ast.expr) -> Value:
        first, second = self.read(left_part), self.read(right)
        if first.shape == second.shape and first.shape in (VECTOR, QUATERNION):
            return Value(NUMBER, (self._sum_of_products(first.parts, second.parts),))
        if first.shape == MATRIX and second.shape == VECTOR:
            rows = [first.parts[3 * row : 3 * row + 3] for row in range(3)]
            return Value(VECTOR, tuple(self._sum_of_products(row, second.parts) for row in rows))
        if first.shape == second.shape == MATRIX:
            parts = [
                self._sum_of_products(first.parts[3 * row : 3 * row + 3], second.parts[column::3])
                for row in range(3)
                for column in range(3)
            ]
            return Value(MATRIX, tuple(parts))
        raise self._shape_error(node, "@", first, second)

    def _sum_of_products(self, a: Sequence[str], b: Sequence[str]) -> str:
        return self._emit(" + ".join(f"{x} * {y}" for x, y in zip(a, b, strict=True)))

    def _comparison(self, node: ast.expr, sign: str, left_part: ast.expr, right: ast.expr) -> Value:
        first, second = self.read(left_part), self.read(right)
        if first.shape != NUMBER or second.shape != NUMBER:
            raise self._shape_error(node, sign, first, second)
        return Value(CONDITION, (self._emit(f"{first.parts[0]} {sign} {second.parts[0]}"),))

    def _vector(self, node: ast.expr, elements: Sequence[ast.expr]) -> Value:
        values = [self.read(element) for element in elements]
        parts = tuple(part for value in values for part in value.parts)
        if len(parts) not in (3, 4) or any(value.shape not in (NUMBER, VECTOR) for value in values):
            raise self.error(
                node,
                "three numbers in brackets, or four",
                phrase("{count} numbers", count=len(parts)),
                "write for example [0, 0, 1], or [0, v] with a vector v",
            )
        return Value((len(parts),), parts)

    def _transposed(self, node: ast.expr, value: Value) -> Value:
        if value.shape != MATRIX:
            raise self.error(node, "a matrix before .T", _SHAPE_NAMES[value.shape], "write A.T @ v")
        return Value(MATRIX, tuple(value.parts[3 * row + column] for column in range(3) for row in range(3)))

    def _component(self, node: ast.expr, value: Value, index: ast.expr) -> Value:
        """Return a component of a vector, an entry of a matrix, or the vector part of four numbers."""
        if value.shape == QUATERNION:
            match index:
                case ast.Slice(lower=ast.Constant(value=1), upper=None, step=None):
                    return Value(VECTOR, value.parts[1:])
        indices = index.elts if isinstance(index, ast.Tuple) else [index]
        numbers = [number for part in indices if (number := _index_number(part)) is not None]
        has_components = value.shape not in (NUMBER, CONDITION)
        if not has_components or not len(numbers) == len(indices) == len(value.shape):
            raise self._index_error(node, value)
        position = 0
        for part, number, size in zip(indices, numbers, value.shape, strict=True):
            if not 0 <= number < size:
                result = f"{number}" if abs(number) < 1000 else phrase("a larger number")
                raise self.error(
                    part, phrase("an index from 0 to {most}", most=size - 1), result, "count from 0"
                )
            position = size * position + number
        return Value(NUMBER, (value.parts[position],))

    def _index_error(self, node: ast.expr, value: Value) -> ProgramError:
        """Return the error for an invalid index, or for an index on a value that has no components."""
        if value.shape in (NUMBER, CONDITION):
            return self.error(
                node, "a vector or a matrix before [ ]", _SHAPE_NAMES[value.shape], "remove the index"
            )
        if value.shape == MATRIX:
            return self.error(
                node, "row and column of a matrix, as whole numbers from 0", "something else",
                "write for example A[0, 2]",
            )  # fmt: skip
        return self.error(
            node, "a component, counted from 0, or p[1:]", "something else", "write for example omega[2]"
        )

    def _call(self, node: ast.Call, name: str, arguments: Sequence[ast.expr]) -> Value:
        values = [self.read(argument) for argument in arguments]
        for argument, value in zip(arguments, values, strict=True):
            if name != "where" or argument is not arguments[0]:
                self._refuse_condition(argument, value)
        shapes = [value.shape for value in values]
        rule = _RULES[name] if name in _RULES else _Rule(1, lambda shapes: len(shapes[0]) == 1)
        if len(values) != rule.argument_count or not rule.takes(shapes):
            raise self.error(
                node, phrase("{name} of {arguments}", name=name, arguments=rule.what),
                ", ".join(_SHAPE_NAMES[shape] for shape in shapes) or "nothing", rule.remedy,
            )  # fmt: skip
        if name in UNARY_FUNCTIONS:
            return self._map(values[0].shape, [f"{name}({part})" for part in values[0].parts])
        return self._apply(name, values)

    def _apply(self, name: str, values: Sequence[Value]) -> Value:
        first = values[0]
        if name in ("atan2", "min", "max"):
            shape = max(first.shape, values[1].shape)
            return self._map(shape, [f"{name}({a}, {b})" for a, b in _paired(first, values[1])])
        if name == "clip":
            low, high = values[1].parts[0], values[2].parts[0]
            return self._map(first.shape, [f"min(max({part}, {low}), {high})" for part in first.parts])
        if name == "where":
            pairs = _paired(values[1], values[2])
            return self._map(values[1].shape, [f"where({first.parts[0]}, {a}, {b})" for a, b in pairs])
        if name == "cross":
            (a, b, c), (x, y, z) = first.parts, values[1].parts
            return self._map(
                VECTOR, [f"{b} * {z} - {c} * {y}", f"{c} * {x} - {a} * {z}", f"{a} * {y} - {b} * {x}"]
            )
        if name == "dot":
            return Value(NUMBER, (self._sum_of_products(first.parts, values[1].parts),))
        if name == "norm":
            return Value(NUMBER, (self._emit(f"sqrt({self._sum_of_products(first.parts, first.parts)})"),))
        if name == "conjugate":
            return Value(QUATERNION, (first.parts[0], *(self._emit(f"-{part}") for part in first.parts[1:])))
        if name == "solve" and INVERSE_OF_J in self.values and first == self.values["J"]:
            inverse = self.values[INVERSE_OF_J].parts
            rows = [inverse[3 * row : 3 * row + 3] for row in range(3)]
            return Value(VECTOR, tuple(self._sum_of_products(row, values[1].parts) for row in rows))
        if name == "solve":
            return self._solve(first.parts, values[1].parts)
        (a, b, c, d), (w, x, y, z) = first.parts, values[1].parts
        return self._map(QUATERNION, [
            f"{a} * {w} - {b} * {x} - {c} * {y} - {d} * {z}", f"{a} * {x} + {b} * {w} + {c} * {z} - {d} * {y}",
            f"{a} * {y} - {b} * {z} + {c} * {w} + {d} * {x}", f"{a} * {z} + {b} * {y} - {c} * {x} + {d} * {w}",
        ])  # fmt: skip

    def _solve(self, matrix: Sequence[str], right: Sequence[str]) -> Value:
        """Return the solution x of the three linear equations `matrix` x = `right`, by cofactors."""
        a, b, c, d, e, f, g, h, i = matrix
        first = [
            self._emit(text)
            for text in (f"{e} * {i} - {f} * {h}", f"{f} * {g} - {d} * {i}", f"{d} * {h} - {e} * {g}")
        ]
        determinant = self._sum_of_products((a, b, c), first)
        others = [
            self._emit(text)
            for text in (
                f"{c} * {h} - {b} * {i}", f"{a} * {i} - {c} * {g}", f"{b} * {g} - {a} * {h}",
                f"{b} * {f} - {c} * {e}", f"{c} * {d} - {a} * {f}", f"{a} * {e} - {b} * {d}",
            )
        ]  # fmt: skip
        rows = [(first[k], others[k], others[3 + k]) for k in range(3)]
        return self._map(VECTOR, [f"{self._sum_of_products(row, right)} / {determinant}" for row in rows])


def _component_text(name: str, values: Mapping[str, Value]) -> str:
    """Return the component that a name such as p1 or A02 may denote, as p[1] or A[0, 2], or ""."""
    match = _COMPONENT_NAME.match(name)
    if match is None or match[1] not in values:
        return ""
    indices = [int(digit) for digit in match.groups()[1:] if digit is not None]
    shape = values[match[1]].shape
    is_component = (
        shape in (VECTOR, QUATERNION, MATRIX)
        and len(indices) == len(shape)
        and all(index < size for index, size in zip(indices, shape, strict=True))
    )
    return f"{match[1]}[{', '.join(map(str, indices))}]" if is_component else ""


def _vector_name(name: str) -> str:
    """Return the name of the vector or matrix whose component a name such as p1 or A02 may denote, or ""."""
    match = _COMPONENT_NAME.match(name)
    return match[1] if match is not None else ""


def _index_number(node: ast.expr) -> int | None:
    """Return the value of an index that is a whole number, possibly with a sign. Return None for any other index."""
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)) if not isinstance(
            number, bool
        ):
            return -number
    return None


class _Rule(NamedTuple):
    """Rule for the arguments of a function. `takes` tests their shapes. The texts of the rule are used in errors about
    other arguments or another number of arguments.
    """

    argument_count: int
    takes: Callable[[Sequence[Shape]], bool]
    what: str = "a number, or a vector"
    remedy: str = "give one value"


def _are_like(shapes: Sequence[Shape]) -> bool:
    return len(set(shapes)) == 1 and len(shapes[0]) == 1


def _has_one_number(shapes: Sequence[Shape]) -> bool:
    return NUMBER in shapes and all(len(shape) == 1 for shape in shapes)


_RULES = {
    "atan2": _Rule(2, lambda shapes: shapes == [NUMBER, NUMBER], "two numbers", "write atan2(y, x)"),
    "min": _Rule(2, lambda shapes: _are_like(shapes) or _has_one_number(shapes), "two values", "write min(a, b)"),
    "max": _Rule(2, lambda shapes: _are_like(shapes) or _has_one_number(shapes), "two values", "write max(a, b)"),
    "clip": _Rule(
        3, lambda shapes: len(shapes[0]) == 1 and shapes[1:] == [NUMBER, NUMBER], "a value and two numbers", "write clip(v, -1, 1)"
    ),
    "where": _Rule(
        3, lambda shapes: shapes[0] == CONDITION and shapes[1] == shapes[2],
        "a condition and two values of the same shape", "write where(a < b, x, y)",
    ),
    "cross": _Rule(2, lambda shapes: shapes == [VECTOR, VECTOR], "two vectors (3)", "write cross(a, b)"),
    "dot": _Rule(2, lambda shapes: _are_like(shapes) and shapes[0] != NUMBER, "two vectors of the same length", "write dot(a, b)"),
    "norm": _Rule(1, lambda shapes: shapes[0] in (VECTOR, QUATERNION), "a vector", "write norm(v)"),
    "conjugate": _Rule(1, lambda shapes: shapes == [QUATERNION], "four numbers", "write conjugate(p)"),
    "solve": _Rule(
        2, lambda shapes: shapes == [MATRIX, VECTOR], "a matrix (3, 3) and a vector (3)", "write solve(J, n) for J\u207b\u00b9 n"
    ),
    "product": _Rule(2, lambda shapes: shapes == [QUATERNION, QUATERNION], "two quaternions", "write product(p, q)"),
}  # fmt: skip


def _paired(first: Value, second: Value) -> list[tuple[str, str]]:
    """Return pairs of components of two values, for an operation by components.

    A number is paired with every component of the other value.
    """
    count = max(len(first.parts), len(second.parts))
    a, b = (value.parts * count if len(value.parts) == 1 else value.parts for value in (first, second))
    return list(zip(a, b, strict=True))
