"""Equations as MathML, made by latex2mathml: no script and no network where a page is read."""

import html

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.util.math import get_node_equation_number


def inline(self, node):
    """An equation in a line."""
    self.body.append(_mathml(node.astext(), "inline"))
    raise SkipNode


def displayed(self, node):
    """An equation of its own, with its number."""
    self.body.append(self.starttag(node, "div", CLASS="displayed"))
    self.body.append(f'<div class="equation">{_mathml(node.astext(), "block")}</div>')
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})</span>')
    self.body.append("</div>")
    raise SkipNode


def _mathml(text, display):
    try:
        return convert(text, display=display)
    except Exception as error:  # a formula that cannot be read ends the build with its text
        raise ValueError(f"equation {text!r}: {html.escape(str(error))}") from error


def setup(app):
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    app.add_css_file("equations.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
