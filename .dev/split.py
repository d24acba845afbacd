"""Split a module into several, by a table of its top-level names, and rewrite every import.

    python .dev/split.py TABLE.json

The table maps each old module to {new module: [names]}; the new module may be one that exists. Docstrings of new modules are under
"docstrings". Private names go where the table says, and are imported where other parts need them. Unused imports that remain in the
parts are for `ruff check --fix`.
"""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path.cwd()


def path_of(module: str) -> Path:
    return ROOT / Path(*module.split(".")).with_suffix(".py")


def names_of(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def split(module: str, parts: dict[str, list[str]], docstrings: dict[str, str]) -> dict[str, str]:
    """Write the parts and return where each name went."""
    path = path_of(module)
    text = path.read_text("utf-8")
    rows, tree = text.split("\n"), ast.parse(text)
    home = {name: part for part, names in parts.items() for name in names}
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    first = next(n for n in body if not isinstance(n, ast.Import | ast.ImportFrom | ast.If))
    header_end = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1
    while header_end and rows[header_end - 1].lstrip().startswith("#"):
        header_end -= 1
    start = tree.body[0].end_lineno if ast.get_docstring(tree) else 0
    header = "\n".join(rows[start:header_end]).strip("\n")
    pieces: dict[str, list[str]] = defaultdict(list)
    defined: dict[str, set[str]] = defaultdict(set)
    current, begin = "", header_end
    chunks: list[tuple[str, int, int]] = []
    for node in body:
        if node.end_lineno <= header_end:
            continue
        names = names_of(node)
        if not names:  # the docstring of a constant, or a statement that belongs to what is before
            chunks[-1] = (chunks[-1][0], chunks[-1][1], node.end_lineno)
            continue
        begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
        last = chunks[-1][2] if chunks else header_end
        while begin > last and rows[begin - 1].lstrip().startswith("#"):
            begin -= 1
        part = home.get(names[0], module)  # what the table does not name stays
        chunks.append((part, begin, node.end_lineno))
        defined[part] |= set(names)
    for part, begin, end in chunks:
        pieces[part].append("\n".join(rows[begin:end]))
    where = {name: part for part, names in defined.items() for name in names}
    def header_of(part: str) -> str:
        """The imports of the old module without those from the new one."""
        lines = header.split("\n")
        own = [n for n in ast.parse(header).body if isinstance(n, ast.ImportFrom) and n.module == part]
        for node in sorted(own, key=lambda n: -n.lineno):
            del lines[node.lineno - 1 : node.end_lineno]
        return "\n".join(lines)

    for part, texts in pieces.items():
        code = "\n\n\n".join(texts)
        used = {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)} | set(re.findall(r'"(\w+)"', code))
        imports = "\n".join(f"from {where[name]} import {name}" for name in sorted(used) if where.get(name, part) != part)
        target = path_of(part)
        if target.exists() and part != module:
            old = target.read_text("utf-8")
            old_tree = ast.parse(old)
            at = max((n.end_lineno for n in old_tree.body if isinstance(n, ast.Import | ast.ImportFrom)), default=1)
            old_rows = old.split("\n")
            target.write_text("\n".join([*old_rows[:at], header_of(part), imports, *old_rows[at:]]).rstrip() + "\n\n\n" + code + "\n", "utf-8")
        else:
            target.write_text(f'"""{ast.get_docstring(tree) if part == module else docstrings[part]}"""\n\n{header_of(part)}\n{imports}\n\n\n{code}\n', "utf-8")
    if module not in pieces:
        path.unlink()
    return where


def rewrite_imports(moved: dict[str, dict[str, str]]) -> None:
    for line in subprocess.run(["git", "ls-files", "*.py", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split():
        path = ROOT / line
        if not path.exists():
            continue
        text = path.read_text("utf-8")
        if not any(module in text for module in moved):
            continue
        rows = text.split("\n")
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in sorted((n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom) and n.module in moved), key=lambda n: -n.lineno):
            indent = " " * node.col_offset
            lines: dict[str, list[str]] = defaultdict(list)
            for alias in node.names:
                part = moved[node.module].get(alias.name, node.module)
                if part != own:
                    lines[part].append(alias.name + (f" as {alias.asname}" if alias.asname else ""))
            rows[node.lineno - 1 : node.end_lineno] = [f"{indent}from {part} import {', '.join(names)}" for part, names in lines.items()]
        text = "\n".join(rows)
        for module, where in moved.items():
            text = re.sub(rf"\b{re.escape(module)}\.(\w+)", lambda m, where=where: f"{where[m[1]]}.{m[1]}" if m[1] in where else m[0], text)
        path.write_text(text, "utf-8")


def main() -> int:
    table = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    moved = {module: split(module, parts, table["docstrings"]) for module, parts in table["modules"].items()}
    rewrite_imports(moved)
    return 0


if __name__ == "__main__":
    sys.exit(main())
