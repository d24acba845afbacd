"""The help: valid links, a section for each error and status, search, and copies that are up to date."""

import ast
import re
import unicodedata
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.help_topics import (
    DEFAULT_TOPIC,
    DISPLAY_TOPIC,
    EVENT_REMARK_TOPIC,
    INTERNAL_ERROR_TOPIC,
    TOPIC_OF_KEY,
    TOPIC_OF_STATUS,
    find_topic,
)
from quatviz.base.latex import MalformedFormula, plain_text, spellings
from quatviz.base.markdown import find_formulae, has_lone_dollar, to_plain_text
from quatviz.cli import main
from quatviz.commands.support.help_sources import update_keys, update_readme
from quatviz.commands.support.library_page import library_page, sections_to_markdown
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations import FORMULATIONS
from quatviz.recordings.recording import NoRecording
from quatviz.simulation import lane
from quatviz.teaching.help import find_section, pages, search
from quatviz.teaching.help.entry_search import alternative_queries
from quatviz.teaching.help.pages import PAGE_GROUPS, parse_page, slugify

PACKAGE = resources.PACKAGE
HELP = resources.asset_path("help")
_LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")


def links() -> list[tuple[str, str]]:
    return [(name, link) for name, page in pages().items() for link in _LINK.findall(page.text)]


@pytest.mark.parametrize(("name", "link"), links())
def test_every_link_has_a_target(name: str, link: str) -> None:
    if link.startswith(("http://", "https://")):
        return
    if link in pages()[name].pictures:
        return
    path, _, anchor = link.partition("#")
    target = (HELP / path).resolve() if path else HELP / f"{name}.md"
    assert target.is_file(), f"{name}: {link}"
    if anchor:
        assert target.parent == HELP, f"{name}: {link}"
        assert anchor in {section.slug for section in pages()[target.stem].sections}, f"{name}: {link}"


def test_pages_match_the_files() -> None:
    on_disk = {path.stem for path in HELP.iterdir() if path.is_file()}
    assert set(pages()) == on_disk
    assert {name for names in PAGE_GROUPS.values() for name in names} <= on_disk


def test_sections_of_a_page_have_unique_slugs() -> None:
    for page in pages().values():
        slugs = [section.slug for section in page.sections]
        assert len(set(slugs)) == len(slugs), page.name
        assert all(find_section(section.topic) == section for section in page.sections)


def test_notebook_page_contains_code_and_outputs() -> None:
    text, shown = (to_plain_text(pages()[name].text) for name in ("derived", "satellite"))
    assert "import quatviz as qv" in text
    assert "textbook follows the motion" in text  # a caption
    assert "rates – those of Newton and Euler to" in text  # a row
    assert "L = (J₁ (sin²(θ) φ̇² + θ̇²))/2" in text  # a formula, a line of several
    assert "t – hamilton:angles_321_1" in shown  # pandas' two header lines in one
    assert "array([21.005, 29.034, 41.961])" in shown  # plain text
    for name in ("derived", "satellite", "convergence"):
        (picture,) = pages()[name].pictures.values()
        assert picture.startswith(b"\x89PNG")


def test_headings_in_code_are_not_sections() -> None:
    page = parse_page("x", "# T\n\n```sh\n# no heading\n```\n\n## A `b`, c!\n\ntext\n")
    assert [section.title for section in page.sections] == ["T", "A b, c!"]
    assert page.sections[1].slug == slugify("A `b`, c!") == "a-b-c"


# --- formulae


def test_every_formula_is_valid_and_dollars_are_paired() -> None:
    from latex2mathml.converter import convert

    for page in pages().values():
        assert not has_lone_dollar(page.text), page.name
        for latex in find_formulae(page.text):
            text = plain_text(latex)  # Malformed for a command that only looks like one
            assert not set(text) & set("\\{}$"), f"{page.name}: {latex}"
            convert(latex)  # the typeset form: it rejects a missing argument, and two exponents
        for heading in (section.title for section in page.sections):
            assert "$" not in heading, page.name


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\dot p = \tfrac12 L^T \omega", "ṗ = ½ Lᵀ ω"),
        (r"p \cdot \ddot p + a_{m3} - J^{-1}", "p·p̈ + aₘ₃ − J⁻¹"),
        (r"-2\sqrt{1 - q \cdot q}", "−2√(1 − q·q)"),
        (r"\frac{1 + x}{\lvert p\rvert^2} \exp(t^{1/4})", "(1 + x)/|p|² exp(t^(1/4))"),
    ],
)
def test_formula_is_converted_to_plain_text(latex: str, expected: str) -> None:
    assert plain_text(latex) == unicodedata.normalize("NFC", expected)


@pytest.mark.parametrize("latex", [r"\nonsense x", r"{x", "x}", r"\frac{1}", "x_", r"\dot"])
def test_malformed_formulas_appear_unchanged_in_plain_text(latex: str) -> None:
    with pytest.raises(MalformedFormula):
        plain_text(latex)
    assert to_plain_text(f"a ${latex}$ b") == f"a {latex} b"


def test_dollars_in_code_are_not_formulae() -> None:
    assert find_formulae("`$a$` $b$\n\n```\n$c$\n```\n\n$$\nd\n$$") == ["b", "d"]


# --- errors


def raise_sites() -> list[tuple[str, ast.Call]]:
    sites = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "InputError"
            ):
                sites.append((f"{path.relative_to(PACKAGE)}:{node.lineno}", node))
    return sites


def test_every_error_has_a_topic_or_key_of_a_topic() -> None:
    sites = raise_sites()
    assert len(sites) > 70
    for location, call in sites:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        assert "key" in named or "topic" in named, (
            f"{location}: state by key or topic which section explains it"
        )
        topic, key = named.get("topic"), named.get("key")
        if isinstance(topic, ast.Constant):
            assert find_section(str(topic.value)).level > 1, location
        if isinstance(key, ast.Constant) and topic is None:
            assert find_topic(str(key.value)) != DEFAULT_TOPIC, (
                f"{location}: no section explains {ast.unparse(key)}"
            )


@pytest.mark.parametrize(
    "topic",
    sorted(
        {
            DEFAULT_TOPIC,
            DISPLAY_TOPIC,
            INTERNAL_ERROR_TOPIC,
            EVENT_REMARK_TOPIC,
            *TOPIC_OF_KEY.values(),
            *TOPIC_OF_STATUS.values(),
        }
    ),
)
def test_every_topic_of_a_key_or_status_is_a_section(topic: str) -> None:
    assert find_section(topic).topic == topic


def test_every_error_shown_by_the_window_has_its_topic() -> None:
    count = 0
    for path in sorted((PACKAGE / "ui").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "refusal." in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                arguments = [ast.unparse(argument) for argument in node.args]
                if node.func.attr in ("emit", "show_message") and "refusal" in " ".join(arguments):
                    count += 1
                    whole = arguments == ["refusal"]
                    assert whole or arguments[-1] == "refusal.topic", (
                        f"{path.name}:{node.lineno}: {arguments}"
                    )
    assert count > 5


def test_every_status_of_an_ended_lane_has_a_topic() -> None:
    text = Path(lane.__file__).read_text("utf-8")
    written = set(re.findall(r"self\.status = .*?\"(\w+)\"", text)) | set(lane.STATUSES.values())
    written |= {NoClosedForm.status, NoRecording.status}
    assert written - {"running"} == set(TOPIC_OF_STATUS), (
        "a complete lane has one too, because it may be inaccurate"
    )
    assert {"singular", "not_finite", "step_failed", "no_closed_form"} <= written


def test_topic_follows_the_key_of_a_more_precise_place() -> None:
    refusal = InputError("here", expected="a", found="b", remedy="c")
    assert refusal.topic == DEFAULT_TOPIC
    assert refusal.with_place("there", "lanes[2].dt").topic == "errors#time-steps"
    own = InputError("here", expected="a", found="b", remedy="c", topic="errors#files")
    assert own.with_place("there", "lanes[2].dt").topic == "errors#files"


def test_unknown_topic_is_rejected_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="errors#time-steps"):
        find_section("errors#time-step")


# --- search


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("gimbal lock", "errors#singular"),
        ("baumgarte", "drift#stabilization"),
        ("Ctrl L", "window#keyboard-shortcuts"),
        ("time steps divides", "errors#time-steps"),
        ("rattle index", "integrators#rattle-rattle-index-3"),
        ("PARQUET", "export#data-from-the-window"),
        ("dexp theta base", "formulations#lie_group-newtoneuler-lie-group"),
        ("θ₁ lambda nu", "formulations#exact-exact-solution"),
    ],
)
def test_search_finds_the_topic(query: str, topic: str) -> None:
    hits = search(query)
    assert topic in [hit.section.topic for hit in hits[:5]]
    for hit in hits:
        if hit.is_partial or alternative_queries(query):
            continue
        text = f"{hit.section.title} {pages()[hit.section.page].title} {hit.section.page} {to_plain_text(hit.section.text)}"
        assert all(any(way in text.lower() for way in spellings(word)) for word in query.lower().split())


def test_common_words_are_ignored_in_search() -> None:
    topics = [hit.section.topic for hit in search("how do I write a film of the run")]
    assert topics == [hit.section.topic for hit in search("write film run")]
    assert topics


def test_titles_rank_first_and_empty_query_finds_nothing() -> None:
    assert search("not finite")[0].section.topic == "errors#not-finite"
    assert search("") == []
    assert search("zyzzyva") == []
    assert search("tfrac") == search("mathrm") == []  # LaTeX commands are not words of the help


# --- copies


def test_readme_lists_formulations_and_has_valid_links() -> None:
    root = resources.checkout_root()
    assert root is not None
    readme = (root / "README.md").read_text("utf-8")
    assert [link for link in _LINK.findall(readme) if not (root / link.partition("#")[0]).is_file()] == []
    assert [name for name in FORMULATIONS if f"| `{name}` |" not in readme] == []
    remedy = "README differs from the formulations: run python -m quatviz.commands.support.help_sources"
    assert update_readme(readme) == readme, remedy


def paths_named_in(text: str) -> set[str]:
    """Return the file and folder names in backticks and in the command lines of a page, without those that setup creates."""
    in_backticks = re.findall(r"`([\w./]+/|[\w./]+\.(?:py|toml|md|csv))`", text)
    in_commands = re.findall(r"(?<![\w./])(?:quatviz|tests|presets|assets)/[\w./]+", text)
    return {path for path in (*in_backticks, *in_commands) if not path.startswith(".venv")}


@pytest.mark.parametrize("page", ["README.md", "assets/help/developing.md"])
def test_paths_on_developer_pages_exist(page: str) -> None:
    root = resources.checkout_root()
    assert root is not None
    text = (root / page).read_text("utf-8")
    paths = paths_named_in(text)
    assert len(paths) >= 5, "the pattern finds them"
    assert [
        path for path in sorted(paths) if not any((base / path).exists() for base in (root, PACKAGE))
    ] == []


def test_developer_page_names_every_package() -> None:
    text = (HELP / "developing.md").read_text("utf-8")
    table = text.partition("| package | contents |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }


def test_readme_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = resources.checkout_root()
    assert root is not None
    (program,) = re.findall(
        r"^```python\n(.*?)^```", (root / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert (tmp_path / "torque_free.parquet").is_file()


def test_help_tables_list_every_panel_and_item() -> None:
    plots, view = (pages()[name].text for name in ("plots", "view"))
    assert [
        panel_class.title for panel_class in PANELS.values() if f"| {panel_class.title} |" not in plots
    ] == []
    assert [
        panel_class.title for panel_class in ITEMS.values() if f"| {panel_class.title} |" not in view
    ] == []
    assert (
        "| Drift | changes of quantities that are constant in the exact motion, log axes | none; 1/s for p·p′ |"
        in plots
    )
    assert "| Energy | kinetic, potential, total | J |" in plots, "the unit is that of its quantity"


def test_help_lists_the_keys_of_the_window() -> None:
    page = pages()["window"].text
    assert "| Shift ← | Ten samples back |" in page
    message = "the keys have changed: run python -m quatviz.commands.support.help_sources"
    assert update_keys(page) == page, message


def test_library_page_matches_the_docstrings() -> None:
    """Docstrings of installed packages are not on the page."""
    page = (HELP / "library.md").read_text("utf-8")
    titles = {section.title for section in pages()["library"].sections}
    public = {name for name in qv.__all__ if callable(getattr(qv, name))}
    assert public - titles == set()
    assert {"Run.to_dataframe", "StudyResult.plot", "Solution.crossings", "Preset.to_toml"} <= titles
    assert "- `torque`: 3 numbers [N m], or an expression of t in quotes. The torque" in page
    message = "docstrings have changed: run python -m quatviz.commands.support.help_sources"
    assert library_page() == page, message


def test_docstring_sections_become_lists() -> None:
    markdown = sections_to_markdown(
        "Rotate.\n\nParameters\n----------\nv, w\n    Vectors\n    (n, 3).\n\nNotes\n-----\nExact."
    )
    assert markdown == "Rotate.\n\n**Parameters**\n\n- `v, w`: Vectors (n, 3).\n\n**Notes**\n\nExact."


# --- the command


def test_help_command_prints_pages_sections_and_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in pages())
    for name in pages():
        assert main(["help", name]) == 0
        assert pages()[name].title.lower() in capsys.readouterr().out.lower()
    assert main(["help", "errors#singular"]) == 0
    printed = capsys.readouterr().out
    assert "Singular" in printed
    assert "Not finite" not in printed
    assert main(["help", "--search", "gimbal", "lock"]) == 0
    assert "errors#singular" in capsys.readouterr().out
    assert main(["help", "--search", "zyzzyva"]) == 1


def test_command_line_error_names_its_help_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "torque_free", "--dt", "0.003"]) == 2
    assert "quatviz help errors#time-steps" in capsys.readouterr().err
