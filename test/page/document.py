"""A document of HTML as a tree, for tests: what is not closed, or refers to others, fails."""
import html.parser

VOID = {"meta", "input", "br", "link", "img", "hr"}
# What is drawn in SVG ends itself.
SHAPES = {"path", "circle", "rect", "line"}


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def all(self, tag=None, kind=None):
        """The elements below, of a tag and of a class."""
        for child in self.children:
            if isinstance(child, Element):
                classes = (child.attributes.get("class") or "").split()
                if (tag is None or child.tag == tag) and (kind is None or kind in classes):
                    yield child
                yield from child.all(tag, kind)


class _Parser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = [Element("document", ())]

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes)
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        assert tag in SHAPES, f"<{tag}/>"
        self.open[-1].children.append(Element(tag, attributes))

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(text):
    """The document's tree, in which every tag is closed."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    assert len(parser.open) == 1, f"<{parser.open[-1].tag}> is not closed"
    return parser.open[0]


def assert_stands_alone(root):
    """Nothing is fetched, and no code runs that came from a statement."""
    for element in root.all():
        assert element.tag not in ("script", "link", "iframe", "object", "embed", "img", "base"), element.tag
        for name, value in element.attributes.items():
            assert not name.startswith("on"), f"{element.tag} {name}"
            assert name not in ("src", "href", "action", "style"), f"{element.tag} {name}={value}"
        if element.tag == "style":
            assert "url(" not in element.text() and "@import" not in element.text()
