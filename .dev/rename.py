"""Rename symbols of this project by a map, with every reference that a type checker finds.

    python .dev/rename.py --check MAP.jsonl ... [--root FOLDER]     report what cannot be located or collides
    python .dev/rename.py MAP.jsonl ... [--moves packages.json]     apply the maps, one after the other

Each line of a map is {"file", "name", "new"} for a symbol, {"file", "module"} for the base name of a module, or
{"file", "fixture", "new"} for a pytest fixture. `name` is the path of the definition in the file, such as `Load.turned` or
`Load.turned.found`. References come from the language server of ty (`ty server`). Attributes that no definition explains any more are listed.
"""

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import unquote, urlparse

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef)
Position = tuple[Path, int, int]  # file, line from 0, column in bytes


class Server:
    """A language server that answers `textDocument/references`."""

    def __init__(self, command: list[str], root: Path) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers: Queue[dict[str, Any]] = Queue()
        self.number = 0
        self.opened: set[Path] = set()
        threading.Thread(target=self._listen, daemon=True).start()
        folder = {"uri": root.as_uri(), "name": "project"}
        self.request("initialize", {
            "processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder],
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}, "workspace": {"configuration": True, "workspaceFolders": True}},
        })
        self.send("initialized", {})

    def _listen(self) -> None:
        out = self.process.stdout
        assert out
        while True:
            length = 0
            while line := out.readline().strip():
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(out.read(length))
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items") if message["method"] == "workspace/configuration" else None
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": [{} for _ in items] if items else None})
            elif "id" in message:
                self.answers.put(message)

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any]) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self._write({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.answers.get(timeout=300)
            if message["id"] == self.number:
                return message.get("result")

    def references(self, position: Position) -> list[Position]:
        path, line, column = position
        if path not in self.opened:
            self.opened.add(path)
            self.send("textDocument/didOpen", {"textDocument": {
                "uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}})
        result = self.request("textDocument/references", {
            "textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column},
            "context": {"includeDeclaration": True}})
        return [(Path(unquote(urlparse(r["uri"]).path)), r["range"]["start"]["line"], r["range"]["start"]["character"]) for r in result or ()]


class Source:
    """One file: text, tree, lines as bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        self.tree = ast.parse(self.text)
        self.lines = self.text.encode().split(b"\n")

    def word(self, line: int, column: int) -> str:
        match = re.match(rb"[A-Za-z_0-9\x80-\xff]+", self.lines[line][column:])
        return match[0].decode() if match else ""

    def name_position(self, node: ast.AST, name: str) -> Position | None:
        """Where the name of a binding node stands."""
        line, column = node.lineno - 1, node.col_offset
        if isinstance(node, ast.Name | ast.arg):
            return self.path, line, column
        if isinstance(node, ast.Attribute):
            return self.path, node.end_lineno - 1, node.end_col_offset - len(name.encode())
        if isinstance(node, ast.MatchStar | ast.MatchAs):
            return self.path, node.end_lineno - 1, node.end_col_offset - len(name.encode())
        for offset in range(3):
            if line + offset < len(self.lines):
                match = re.compile(rb"\b%s\b" % name.encode()).search(self.lines[line + offset], column if not offset else 0)
                if match:
                    return self.path, line + offset, match.start()
        return None


def inside(scope: ast.AST, into_functions: bool = False) -> Iterator[ast.AST]:
    """The nodes of a scope, nested functions and classes included as nodes but not entered."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, SCOPES) and not into_functions:
            # Decorators, defaults and bases belong to the outer scope.
            todo += [*node.decorator_list, *(getattr(node, "bases", ())), *(k.value for k in getattr(node, "keywords", ()))]
            if isinstance(node, FUNCTIONS):
                todo += [d for d in (*node.args.defaults, *node.args.kw_defaults) if d]
            continue
        todo += ast.iter_child_nodes(node)


def bindings(scope: ast.AST, name: str) -> list[ast.AST]:
    """The nodes that bind `name` in a scope; of a class those that set an attribute of `self` too."""
    nodes: list[ast.AST] = []
    for node in inside(scope):
        match node:
            case ast.Name(id=identifier, ctx=ast.Store() | ast.Del()) if identifier == name:
                nodes.append(node)
            case ast.arg(arg=identifier) if identifier == name:
                nodes.append(node)
            case ast.ExceptHandler(name=identifier) | ast.MatchAs(name=identifier) | ast.MatchStar(name=identifier) if identifier == name:
                nodes.append(node)
            case ast.FunctionDef(name=identifier) | ast.AsyncFunctionDef(name=identifier) | ast.ClassDef(name=identifier) if identifier == name:
                nodes.append(node)
            case ast.alias(name=module, asname=None) if module == name and isinstance(scope, FUNCTIONS):
                pass
            case ast.alias(asname=identifier) if identifier == name:
                nodes.append(node)
    if isinstance(scope, FUNCTIONS):
        arguments = scope.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        nodes += [a for a in every if a and a.arg == name and a not in nodes]
    if isinstance(scope, ast.ClassDef):
        for node in ast.walk(scope):
            if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                nodes.append(node)
    return nodes


class Project:
    """All sources of a checkout, with classes and how they are related."""

    def __init__(self, root: Path) -> None:
        self.root = root
        folders = [root / "quatviz", root / "tests", root / "assets" / "new"]
        self.sources = {path: Source(path) for folder in folders for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts}
        self.classes: dict[str, list[tuple[Source, ast.ClassDef]]] = defaultdict(list)
        self.bases: dict[int, list[ast.ClassDef]] = {}
        self.where: dict[int, Source] = {}
        by_module: dict[tuple[str, str], ast.ClassDef] = {}
        for source in self.sources.values():
            for node in ast.walk(source.tree):
                if isinstance(node, ast.ClassDef):
                    self.classes[node.name].append((source, node))
                    self.where[id(node)] = source
                    by_module[self.module(source.path), node.name] = node
        for source in self.sources.values():
            imported: dict[str, tuple[str, str]] = {}
            for node in ast.walk(source.tree):
                if isinstance(node, ast.ImportFrom) and node.module:
                    imported.update({a.asname or a.name: (node.module, a.name) for a in node.names})
            for node in ast.walk(source.tree):
                if isinstance(node, ast.ClassDef):
                    found = []
                    for base in node.bases:
                        if isinstance(base, ast.Subscript):
                            base = base.value
                        text = ast.unparse(base)
                        key = imported.get(text, (self.module(source.path), text))
                        if "." in text:
                            head, _, tail = text.rpartition(".")
                            key = (".".join(imported.get(head, (head, ""))).rstrip("."), tail)
                        if key in by_module:
                            found.append(by_module[key])
                    self.bases[id(node)] = found
        self.children: dict[int, list[ast.ClassDef]] = defaultdict(list)
        for child_id, parents in self.bases.items():
            child = next(n for n in [self._node(child_id)] if n is not None)
            for parent in parents:
                self.children[id(parent)].append(child)

    def _node(self, identity: int) -> ast.ClassDef | None:
        if not hasattr(self, "_by_id"):
            self._by_id = {id(node): node for pairs in self.classes.values() for _, node in pairs}
        return self._by_id.get(identity)

    def module(self, path: Path) -> str:
        return ".".join(path.relative_to(self.root).with_suffix("").parts).removesuffix(".__init__")

    def family(self, node: ast.ClassDef, name: str) -> list[ast.ClassDef]:
        """The classes above and below that define the member `name`, itself included."""
        seen = {id(node): node}
        todo = [node]
        while todo:
            current = todo.pop()
            for parent in self.ancestors(current):
                if id(parent) not in seen and bindings(parent, name):
                    seen[id(parent)] = parent
                    todo.append(parent)
            for child in self.descendants(current):
                if id(child) not in seen and bindings(child, name):
                    seen[id(child)] = child
                    todo.append(child)
        return list(seen.values())

    def ancestors(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        for parent in self.bases.get(id(node), ()):
            yield parent
            yield from self.ancestors(parent)

    def descendants(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        for child in self.children.get(id(node), ()):
            yield child
            yield from self.descendants(child)

    def scopes(self, source: Source, parts: list[str]) -> list[ast.AST]:
        scopes: list[ast.AST] = [source.tree]
        for part in parts:
            scopes = [n for scope in scopes for n in inside(scope) if isinstance(n, SCOPES) and n.name == part]
        return scopes


class Renaming:
    """One map, resolved against a project: edits, and what is wrong with it."""

    def __init__(self, project: Project, server: Server, entries: list[dict[str, str]]) -> None:
        self.project, self.server = project, server
        self.edits: dict[Position, tuple[str, str]] = {}
        self.problems: list[str] = []
        self.members: dict[str, set[str]] = defaultdict(set)
        self.globals: dict[tuple[str, str], str] = {}
        self.mentions: list[tuple[Source, int, int, str, str]] = []
        self.done: list[tuple[Source, ast.AST, str, str]] = []
        for entry in entries:
            try:
                if "fixture" in entry:
                    self.add_fixture(entry)
                elif "name" in entry:
                    self.add(entry)
            except Exception as fault:  # one bad line must not hide the others
                self.problems.append(f"{entry}: {type(fault).__name__}: {fault}")
        self.collisions()

    def source(self, file: str) -> Source | None:
        return self.project.sources.get(self.project.root / file)

    def add(self, entry: dict[str, str]) -> None:
        source, new = self.source(entry["file"]), entry["new"]
        *outer, old = entry["name"].split(".")
        label = f"{entry['file']}: {entry['name']}"
        if source is None:
            self.problems.append(f"{label}: no such file")
            return
        if not new.isidentifier():
            self.problems.append(f"{label}: {new!r} is no identifier")
            return
        if new == old:
            return
        scopes = self.project.scopes(source, outer)
        nodes = [(source, scope, node) for scope in scopes for node in bindings(scope, old)]
        if not nodes:
            self.problems.append(f"{label}: not found")
            return
        if outer and isinstance(scopes[0], ast.ClassDef):
            self.members[old].add(new)
            for scope in scopes:
                for relative in self.project.family(scope, old):
                    nodes += [(self.project.where[id(relative)], relative, node) for node in bindings(relative, old)]
        if not outer:
            self.globals[self.project.module(source.path), old] = new
        for place, scope, node in nodes:
            position = place.name_position(node, old)
            if position is None or place.word(*position[1:]) != old:
                self.problems.append(f"{label}: no position in {place.path.name}:{node.lineno}")
                continue
            if position not in self.edits:
                self.edits[position] = old, new
                for reference in self.server.references(position):
                    self.take(reference, old, new)
        for scope in scopes:
            self.done.append((source, scope, old, new))
            first, last = (scope.lineno, scope.end_lineno) if isinstance(scope, FUNCTIONS) else (1, len(source.lines))
            self.mentions.append((source, first, last or first, old, new))

    def take(self, reference: Position, old: str, new: str) -> None:
        source = self.project.sources.get(reference[0])
        if source is None or source.word(*reference[1:]) != old:
            return
        before = self.edits.get(reference)
        if before and before[1] != new:
            self.problems.append(f"{reference[0].relative_to(self.project.root)}:{reference[1] + 1}: {old} -> {before[1]} and {new}")
            return
        self.edits[reference] = old, new

    def add_fixture(self, entry: dict[str, str]) -> None:
        source, old, new = self.source(entry["file"]), entry["fixture"], entry["new"]
        if source is None:
            self.problems.append(f"{entry}: no such file")
            return
        folder = source.path.parent
        conftest = source.path.name == "conftest.py"
        module = source.path.stem
        for other in self.project.sources.values():
            near = other is source or (conftest and other.path.is_relative_to(folder)) or re.search(rf"from {module} import [^#]*\b{old}\b", other.text.replace("\n", " "))
            if not near:
                continue
            for node in ast.walk(other.tree):
                if isinstance(node, FUNCTIONS):
                    if node.name == old:
                        self.put(other, other.name_position(node, old), old, new)
                    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                    if any(a.arg == old for a in every):
                        for inner in ast.walk(node):
                            if isinstance(inner, ast.arg) and inner.arg == old or isinstance(inner, ast.Name) and inner.id == old:
                                self.put(other, other.name_position(inner, old), old, new)
                elif isinstance(node, ast.alias) and node.name == old:
                    self.put(other, other.name_position(node, old), old, new)
                elif isinstance(node, ast.Constant) and node.value == old and node.end_col_offset:
                    line = other.lines[node.lineno - 1]
                    if b"usefixtures" in line or b"getfixturevalue" in line:
                        self.put(other, (other.path, node.lineno - 1, node.col_offset + 1), old, new)

    def put(self, source: Source, position: Position | None, old: str, new: str) -> None:
        if position and source.word(*position[1:]) == old:
            self.edits[position] = old, new

    def collisions(self) -> None:
        """New names that exist already where they come."""
        leaving = defaultdict(set)
        for (path, line, column), (old, _) in self.edits.items():
            leaving[path].add((line, column, old))
        by_file: dict[Path, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for (path, _, _), (old, new) in self.edits.items():
            by_file[path][new].add(old)
        for source, scope, old, new in self.done:
            if isinstance(scope, ast.ClassDef):
                for relative in [scope, *self.project.ancestors(scope), *self.project.descendants(scope)]:
                    place = self.project.where[id(relative)]
                    stay = [n for n in bindings(relative, new) if place.name_position(n, new) not in self.edits]
                    if stay:
                        self.problems.append(f"{source.path.relative_to(self.project.root)}: {scope.name}.{old}: {relative.name} has {new} already")
                        break
            else:
                walk = ast.walk(scope)
                for node in walk:
                    name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else None
                    if name == new and source.name_position(node, new) not in self.edits:
                        self.problems.append(f"{source.path.relative_to(self.project.root)}:{node.lineno}: {getattr(scope, 'name', 'module')}.{old} -> {new}: that name is used there already")
                        break
                if isinstance(scope, ast.Module):
                    for node in scope.body:
                        if isinstance(node, SCOPES) and node.name == new and source.name_position(node, new) not in self.edits:
                            self.problems.append(f"{source.path.relative_to(self.project.root)}: {old} -> {new}: defined already")
        # Files that import a renamed global.
        for path, news in by_file.items():
            source = self.project.sources[path]
            tops = {(n.asname or n.name) for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom | ast.Import) for n in node.names}
            for new, olds in news.items():
                imported = [o for o in olds if o in tops]
                if not imported:
                    continue
                for node in ast.walk(source.tree):
                    name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else node.name if isinstance(node, SCOPES) else None
                    if name == new and source.name_position(node, new) not in self.edits:
                        self.problems.append(f"{path.relative_to(self.project.root)}:{node.lineno}: imports {imported[0]} -> {new}, but uses {new} already")
                        break

    # Applying

    def apply(self) -> list[Path]:
        per_file: dict[Path, list[tuple[int, int, str, str]]] = defaultdict(list)
        for (path, line, column), (old, new) in self.edits.items():
            per_file[path].append((line, column, old, new))
        self.dangling(per_file)
        for source in self.project.sources.values():
            lines = list(source.lines)
            edits = sorted(per_file.get(source.path, ()), reverse=True)
            for line, column, old, new in edits:
                row = lines[line]
                assert row[column : column + len(old.encode())] == old.encode(), (source.path, line, row, old)
                row = row[:column] + new.encode() + row[column + len(old.encode()) :]
                lines[line] = row
            text = self.words(source, b"\n".join(lines).decode())
            if text != source.text:
                source.path.write_text(text, "utf-8")
        return list(per_file)

    def words(self, source: Source, text: str) -> str:
        """Names in backquotes in docstrings and comments, and dotted names in strings."""
        rows = text.split("\n")
        for other, first, last, old, new in self.mentions:
            if other is source and len(old) > 2:
                for index in range(first - 1, min(last, len(rows))):
                    if "`" in rows[index] and '"' not in re.sub(r'"""', "", rows[index]):
                        rows[index] = re.sub(rf"`((?:\w+\.)*){re.escape(old)}((?:\([^`]*\))?)`", rf"`\g<1>{new}\g<2>`", rows[index])
        text = "\n".join(rows)

        def dotted(match: re.Match[str]) -> str:
            parts = match[0].split(".")
            for end in range(len(parts) - 1, 1, -1):
                new = self.globals.get((".".join(parts[:end]), parts[end]))
                if new:
                    return ".".join([*parts[:end], new, *parts[end + 1 :]])
            return match[0]

        return re.sub(r"\bquatviz(?:\.\w+)+", dotted, text)

    def dangling(self, per_file: dict[Path, list[tuple[int, int, str, str]]]) -> None:
        """Attributes of renamed names that no definition has any more, and names in strings for `getattr` and its kin."""
        defined: dict[str, int] = defaultdict(int)
        for pairs in self.project.classes.values():
            for source, node in pairs:
                for inner in ast.walk(node):
                    position = None
                    match inner:
                        case ast.Attribute(attr=name, ctx=ast.Store()):
                            position = source.name_position(inner, name)
                        case ast.FunctionDef(name=name):
                            position = source.name_position(inner, name)
                        case ast.AnnAssign(target=ast.Name(id=name) as target):
                            position = source.name_position(target, name)
                        case ast.Assign(targets=[ast.Name(id=name) as target, *_]):
                            position = source.name_position(target, name)
                    if position is not None and name in self.members and position not in self.edits:
                        defined[name] += 1
        for source in self.project.sources.values():
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Attribute) and node.attr in self.members:
                    position = source.name_position(node, node.attr)
                    self._leftover(source, node, position, node.attr, defined, per_file)
                elif isinstance(node, ast.Call):
                    called = ast.unparse(node.func).rpartition(".")[2]
                    if called in ("getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"):
                        for argument in node.args:
                            if isinstance(argument, ast.Constant) and argument.value in self.members and argument.lineno == argument.end_lineno:
                                position = (source.path, argument.lineno - 1, argument.col_offset + 1)
                                self._leftover(source, argument, position, argument.value, defined, per_file)
                    for keyword in node.keywords:
                        if keyword.arg in self.members and called in ("replace", "_replace"):
                            position = (source.path, keyword.lineno - 1, keyword.col_offset)
                            self._leftover(source, keyword, position, keyword.arg, defined, per_file)

    def _leftover(self, source: Source, node: ast.AST, position: Position | None, old: str, defined: dict[str, int], per_file: dict) -> None:
        if position is None or position in self.edits:
            return
        where = f"{source.path.relative_to(self.project.root)}:{node.lineno}"
        news = self.members[old]
        if not defined[old]:
            print(f"not typed: {where}: {old} -> {sorted(news)}")


def read_map(path: Path) -> list[dict[str, str]]:
    entries = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                entries.append(json.loads(line))
            except ValueError:
                print(f"{path}:{number}: not JSON")
    return entries


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("maps", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--moves", type=Path)
    parser.add_argument("--ty", default="ty")
    options = parser.parse_args()
    root = options.root.resolve()
    files: dict[str, str] = json.loads(options.moves.read_text("utf-8")) if options.moves else {}
    failed = False
    for path in options.maps:
        entries = [{**entry, "file": files.get(entry["file"], entry["file"])} for entry in read_map(path)]
        project = Project(root)
        server = Server([options.ty, "server"], root)
        renaming = Renaming(project, server, entries)
        server.process.kill()
        for problem in renaming.problems:
            print(problem)
        print(f"{path.name}: {len(entries)} entries, {len(renaming.edits)} edits, {len(renaming.problems)} problems")
        failed |= bool(renaming.problems)
        if not options.check:
            renaming.apply()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
