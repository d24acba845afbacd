"""Markdown of help and lessons: formulas, code, tables, and its forms as rich and plain text."""

import pytest

from quatviz.base.markdown import (
    WORD_JOINER,
    block_tokens,
    find_formulae,
    has_lone_dollar,
    split_formulae,
    to_html,
    to_plain_text,
)


def put(latex: str, displayed: bool) -> str:
    return f"[[{latex}]]" if displayed else f"[{latex}]"


def html(markdown: str, links: bool = True) -> str:
    return to_html(markdown, put, links).strip()


def test_formulas_keep_underscores_and_asterisks() -> None:
    text = "With $a_1 * b_2 * c$ and *one*\n\n$$\nx_1\n  + y_1\n$$\n\nand $$z$$ within."
    assert find_formulae(text) == ["a_1 * b_2 * c", "x_1 + y_1", "z"]
    assert html(text) == (
        "<p>With [a_1 * b_2 * c] and <em>one</em></p>\n[[x_1 + y_1]]<p>and </p>[[z]]<p> within.</p>"
    )


@pytest.mark.parametrize(
    ("text", "alone"),
    [("a $5 b", True), ("a $x$ $", True), ("`a $5`", False), ("$x$", False), ("```\n$\n```", False)],
)
def test_single_dollar_outside_of_code_is_detected(text: str, alone: bool) -> None:
    assert has_lone_dollar(text) is alone


def test_texts_are_split_at_formulas_but_not_inside_code() -> None:
    text = "`$a$` is {name}: $a$\n\n- item $b\n  c$ {other}\n\n```\n$a$\n```\n\n$$ d_{e} $$\nend"
    cut = list(split_formulae(text))
    assert "".join(piece for piece, _ in cut) == text
    assert [piece for piece, is_formula in cut if is_formula] == ["$a$", "$b\n  c$", "$$ d_{e} $$"]


def test_comments_are_removed_and_tags_are_escaped() -> None:
    assert html("<!-- one\n\ntwo -->\n\na <!-- b --> c <i>d</i> & e") == (
        "<p>a  c &lt;i&gt;d&lt;/i&gt; &amp; e</p>"
    )


def test_links_may_be_shown_as_text() -> None:
    assert html("a [*b*](c.md)") == '<p>a <a href="c.md"><em>b</em></a></p>'
    assert html("a [*b*](c.md)", links=False) == "<p>a <em>b</em></p>"


def test_table_without_header_has_none() -> None:
    empty, full = "| | |\n|---|---:|\n| a | b |\n", "| x | |\n|---|---:|\n| a | b |\n"
    assert "<th" not in html(empty)
    assert html(full).count("<th") == 3, "thead and two cells"
    assert '<td align="right">b</td>' in html(empty)
    assert (to_plain_text(empty), to_plain_text(full)) == ("a – b", "x – a – b")


def test_lines_do_not_break_within_units() -> None:
    assert html("What is $x$?") == f"<p>What is [x]{WORD_JOINER}?</p>", "a line began with the question mark"
    assert html("At $t$ = 2.3 s it is") == f"<p>At [t]{WORD_JOINER}\u00a0=\u00a02.3\u00a0s it is</p>"
    assert (
        html("2 rad/s, $x$. And `m/s`")
        == f"<p>2 rad/{WORD_JOINER}s, [x]{WORD_JOINER}. And <code>m/s</code></p>"
    )


def test_plain_line_has_no_markup() -> None:
    text = (
        "# A *title*\n\nWith `a_b`, **$\\dot p$**,\n[a link](x.md) and ![picture](y.png)\n\n    code  here\n"
    )
    assert to_plain_text(text) == "A title With a_b, ṗ, a link and code here"


def test_rule_below_a_paragraph_is_not_a_heading() -> None:
    headings = [(token.tag, token.map) for token in block_tokens("# One\n\ntext\n---\n\n```\n# no\n```\n\n## Two") if
             token.type == "heading_open"]  # fmt: skip
    assert headings == [("h1", [0, 1]), ("h2", [9, 10])]


def test_single_image_keeps_its_height() -> None:
    def made(text: str, pictures: bool = True) -> str:
        return to_html(text, lambda latex, shown: latex, pictures=pictures)

    close = '<p style="line-height: 100%"><img src="a.png"></p>'
    assert made("![a](a.png)").strip() == close
    assert "line-height" not in made("See ![a](a.png)")
    assert "line-height" not in made("![a](a.png)", pictures=False)
