"""Move modules to other packages and rewrite everything that names them.

    python .dev/move.py MAP.json

The map has `modules`, old dotted name to new dotted name (packages stand for all that is below them), and `files`, old path
to new path below the root for what is no module of `quatviz`. Imports are rewritten by LibCST; dotted names and paths in strings,
comments and texts by whole-word replacement, only where they name a module or file that exists.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import libcst as cst
from libcst import matchers as m

ROOT = Path.cwd()
TEXTS = ("*.py", "*.md", "*.toml", "*.spec")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def modules_on_disk() -> dict[str, Path]:
    return {
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p
        for p in (ROOT / "quatviz").rglob("*.py")
    }


class Moves:
    """Old dotted names to new ones, longest prefix first."""

    def __init__(self, moves: dict[str, str]) -> None:
        self.moves = moves

    def new(self, name: str) -> str:
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            prefix = ".".join(parts[:end])
            if prefix in self.moves:
                return ".".join([self.moves[prefix], *parts[end:]])
        return name


def name_of(node: cst.BaseExpression | None) -> str:
    return cst.Module([]).code_for_node(node).replace(" ", "") if node else ""


def expression(name: str) -> cst.Attribute | cst.Name:
    return cst.ensure_type(cst.parse_expression(name), (cst.Attribute if "." in name else cst.Name))


class Imports(cst.CSTTransformer):
    """Rewrite imports; `renamed` collects local names that follow a module's new base name."""

    def __init__(self, moves: Moves, known: set[str], path: Path) -> None:
        self.moves, self.known, self.path = moves, known, path
        self.renamed: dict[str, str] = {}

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        names = [a.with_changes(name=expression(self.moves.new(name_of(a.name)))) for a in updated_node.names]
        return updated_node.with_changes(names=names)

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom):
        if updated_node.relative or isinstance(updated_node.names, cst.ImportStar):
            return updated_node
        source = name_of(updated_node.module)
        if source.split(".")[0] != "quatviz":
            return updated_node
        groups: dict[str, list[cst.ImportAlias]] = {}
        for alias in updated_node.names:
            base = name_of(alias.name)
            whole = f"{source}.{base}"
            target = self.moves.new(whole) if whole in self.known else f"{self.moves.new(source)}.{base}"
            parent, _, new_base = target.rpartition(".")
            if new_base != base and alias.asname is None:
                self.renamed[base] = new_base
            groups.setdefault(parent, []).append(
                alias.with_changes(name=cst.Name(new_base), comma=cst.MaybeSentinel.DEFAULT)
            )
        if len(groups) == 1:
            ((parent, _),) = groups.items()
            names = [
                a.with_changes(name=n.name) for a, n in zip(updated_node.names, groups[parent], strict=True)
            ]
            return updated_node.with_changes(module=expression(parent), names=names)
        self.split = True
        nodes = [
            updated_node.with_changes(module=expression(parent), names=names, lpar=None, rpar=None)
            for parent, names in groups.items()
        ]
        return cst.FlattenSentinel(nodes)


class Names(cst.CSTTransformer):
    """Rename local names that stand for renamed modules."""

    def __init__(self, renamed: dict[str, str]) -> None:
        self.renamed = renamed

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_ImportAlias(
        self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias
    ) -> cst.ImportAlias:
        return original_node

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        return original_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        new = self.renamed.get(original_node.value)
        return updated_node.with_changes(value=new) if new else updated_node


def rewrite_code(path: Path, moves: Moves, known: set[str]) -> None:
    text = path.read_text("utf-8")
    if "quatviz" not in text:
        return
    tree = cst.parse_module(text)
    imports = Imports(moves, known, path)
    new = tree.visit(imports)
    for old, name in imports.renamed.items():
        stores = m.findall(
            tree,
            m.AssignTarget(target=m.Name(old))
            | m.Param(name=m.Name(old))
            | m.CompFor(target=m.Name(old))
            | m.For(target=m.Name(old))
            | m.AsName(name=m.Name(old)),
        )
        clash = m.findall(
            tree,
            m.AssignTarget(target=m.Name(name))
            | m.Param(name=m.Name(name))
            | m.CompFor(target=m.Name(name))
            | m.For(target=m.Name(name))
            | m.FunctionDef(name=m.Name(name))
            | m.AsName(name=m.Name(name)),
        )
        if stores or clash:
            print(
                f"check {path.relative_to(ROOT)}: module name {old} -> {name}",
                "bound elsewhere" * bool(stores),
                "new name bound" * bool(clash),
            )
    if imports.renamed:
        new = new.visit(Names(imports.renamed))
    if new.code != text:
        path.write_text(new.code, "utf-8")


def main() -> int:
    table = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    moves, files = Moves(table["modules"]), dict(table.get("files", {}))
    before = modules_on_disk()
    known = set(before)
    # Where each file goes.
    planned = dict(files)
    for name, path in before.items():
        new = moves.new(name)
        if new != name:
            target = ROOT / Path(*new.split("."))
            target = target / "__init__.py" if path.name == "__init__.py" else target.with_suffix(".py")
            planned[str(path.relative_to(ROOT))] = str(target.relative_to(ROOT))
    # What is no Python module moves with its package.
    for line in git("ls-files", "quatviz", "tests").splitlines():
        path = Path(line)
        if line in planned or (path.suffix == ".py" and line.startswith("quatviz/")):
            continue
        for parent in path.parents:
            old = ".".join(parent.parts)
            if line.startswith("quatviz/") and old in known and moves.new(old) != old:
                planned[line] = str(Path(*moves.new(old).split(".")) / path.relative_to(parent))
                break
            if str(parent) in files:
                planned[line] = str(Path(files[str(parent)]) / path.relative_to(parent))
                break
    planned = {old: new for old, new in planned.items() if (ROOT / old).is_file() and old != new}
    for old, new in planned.items():
        (ROOT / new).parent.mkdir(parents=True, exist_ok=True)
        git("mv", old, new)
    # Packages need an `__init__`; those that are new get theirs from the map or by hand afterwards.
    for new in planned.values():
        folder = Path(new).parent
        while new.startswith("quatviz/") and new.endswith(".py") and folder != Path("quatviz"):
            if not (ROOT / folder / "__init__.py").exists():
                docstring = table.get("docstrings", {}).get(str(folder), "")
                (ROOT / folder / "__init__.py").write_text(f'"""{docstring}"""\n', "utf-8")
                git("add", str(folder / "__init__.py"))
            folder = folder.parent
    # Code, then every text.
    dotted = re.compile(r"(?<![\w./])quatviz(?:\.\w+)+")
    paths = {**planned}
    for old, new in [*planned.items()]:
        for up, there in zip(Path(old).parents, Path(new).parents, strict=False):
            if up.name and there.name and Path(old).relative_to(up) == Path(new).relative_to(there):
                paths.setdefault(str(up), str(there))
    inner = {
        old.removeprefix("quatviz/"): new.removeprefix("quatviz/")
        for old, new in paths.items()
        if old.startswith("quatviz/")
    }
    slashed = re.compile(r"(?<![\w./-])(?:[\w-]+/)+[\w-]+(?:\.\w+)?")

    def new_dotted(match: re.Match[str]) -> str:
        name = match[0]
        parts = name.split(".")
        for end in range(len(parts), 1, -1):
            prefix = ".".join(parts[:end])
            if prefix in known and moves.new(prefix) != prefix:
                if end == 2 and (len(parts) == 2 or parts[2][:1].isupper()):
                    print("kept", name)  # as likely the name of a group or of the interface
                    return name
                return ".".join([moves.new(prefix), *parts[end:]])
        return name

    def new_path(match: re.Match[str]) -> str:
        text = match[0]
        if text in paths:
            return paths[text]
        if text in inner and (text.endswith(".py") or text.count("/") > 1 or True):
            return inner[text]
        return text

    for pattern in TEXTS:
        for path in [ROOT / line for line in git("ls-files", pattern).splitlines()]:
            if not path.exists() or ".dev" in path.parts:
                continue
            if path.suffix == ".py":
                rewrite_code(path, moves, known)
            text = path.read_text("utf-8")
            new = slashed.sub(new_path, dotted.sub(new_dotted, text))
            if new != text:
                path.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
