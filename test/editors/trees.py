"""A parser that tree-sitter has generated, for tests: compiles its source, and parses texts and asks
queries with the C library (Debian's libtree-sitter-dev), which no package of Python is needed for."""
import collections
import ctypes
import ctypes.util
import os
import pathlib
import re
import shlex
import subprocess


class Node(ctypes.Structure):
    _fields_ = [("context", ctypes.c_uint32 * 4), ("id", ctypes.c_void_p), ("tree", ctypes.c_void_p)]


class Capture(ctypes.Structure):
    _fields_ = [("node", Node), ("index", ctypes.c_uint32)]


class Match(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("pattern", ctypes.c_uint16), ("count", ctypes.c_uint16),
                ("captures", ctypes.POINTER(Capture))]


class Step(ctypes.Structure):
    """A part of a predicate: the end of one, a capture or a text."""
    _fields_ = [("kind", ctypes.c_int), ("value", ctypes.c_uint32)]


END, CAPTURE, TEXT = range(3)
POINTER, TEXTS, NUMBER, NUMBERS = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32,
                                   ctypes.POINTER(ctypes.c_uint32))
# What each function of the library returns and takes.
SIGNATURES = {
    "parser_new": (POINTER,),
    "parser_set_language": (ctypes.c_bool, POINTER, POINTER),
    "parser_parse_string": (POINTER, POINTER, POINTER, TEXTS, NUMBER),
    "tree_root_node": (Node, POINTER),
    "tree_delete": (None, POINTER),
    "node_string": (POINTER, Node),
    "node_type": (TEXTS, Node),
    "node_has_error": (ctypes.c_bool, Node),
    "node_is_missing": (ctypes.c_bool, Node),
    "node_start_byte": (NUMBER, Node),
    "node_end_byte": (NUMBER, Node),
    "node_child_count": (NUMBER, Node),
    "node_child": (Node, Node, NUMBER),
    "query_new": (POINTER, POINTER, TEXTS, NUMBER, NUMBERS, NUMBERS),
    "query_capture_name_for_id": (TEXTS, POINTER, NUMBER, NUMBERS),
    "query_string_value_for_id": (TEXTS, POINTER, NUMBER, NUMBERS),
    "query_predicates_for_pattern": (ctypes.POINTER(Step), POINTER, NUMBER, NUMBERS),
    "query_cursor_new": (POINTER,),
    "query_cursor_delete": (None, POINTER),
    "query_cursor_exec": (None, POINTER, POINTER, Node),
    "query_cursor_next_match": (ctypes.c_bool, POINTER, ctypes.POINTER(Match)),
}

Mistake = collections.namedtuple("Mistake", "line what")


def library():
    """The functions of libtree-sitter, or None where it is not installed."""
    name = ctypes.util.find_library("tree-sitter")
    if not name:
        return None
    loaded = ctypes.CDLL(name)
    for function, (result, *arguments) in SIGNATURES.items():
        entry = getattr(loaded, "ts_" + function)
        entry.restype, entry.argtypes = result, arguments
    return loaded


class Parser:
    """The parser in the folder of a grammar, whose src/parser.c is compiled into another folder."""

    def __init__(self, library, grammar, folder):
        self.library = library
        compiled = pathlib.Path(folder) / "parser.so"
        source = pathlib.Path(grammar) / "src"
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", f"-I{source}",
                        source / "parser.c", "-o", compiled], check=True)
        self.language_library = ctypes.CDLL(str(compiled))
        self.language_library.tree_sitter_strata.restype = POINTER
        self.language = self.language_library.tree_sitter_strata()
        self.parser = library.ts_parser_new()
        if not library.ts_parser_set_language(self.parser, self.language):
            raise RuntimeError("libtree-sitter does not read a parser of this version")
        self.allocator = ctypes.CDLL(None)
        self.allocator.free.argtypes = [POINTER]

    def with_tree(self, text, function):
        """What a function says of the root of a text's tree."""
        data = text.encode()
        tree = self.library.ts_parser_parse_string(self.parser, None, data, len(data))
        try:
            return function(self.library.ts_tree_root_node(tree), data)
        finally:
            self.library.ts_tree_delete(tree)

    def tree(self, text):
        """The tree of a text, as tree-sitter writes it."""
        def written(root, _):
            address = self.library.ts_node_string(root)
            result = ctypes.string_at(address).decode()
            self.allocator.free(address)
            return result
        return self.with_tree(text, written)

    def mistakes(self, text):
        """The places of a text that the grammar does not know, or where something is missing."""
        def found(root, data):
            return [Mistake(data[:self.library.ts_node_start_byte(node)].count(b"\n") + 1, what)
                    for node, what in self._mistaken(root)]
        return self.with_tree(text, found)

    def _mistaken(self, node):
        kind = self.library.ts_node_type(node).decode()
        if self.library.ts_node_is_missing(node):
            yield node, f"missing {kind}"
        elif kind == "ERROR":
            yield node, "error"
        elif self.library.ts_node_has_error(node):
            inside = [one for number in range(self.library.ts_node_child_count(node))
                      for one in self._mistaken(self.library.ts_node_child(node, number))]
            # What is missing may be a part that has no node.
            yield from inside or [(node, f"part of {kind} missing")]

    def captures(self, query, text):
        """The name and the text of each node of a text that a query captures, with its place."""
        return self.with_tree(text, lambda root, data: list(query.captures(root, data)))


class Query:
    """The patterns of a file of queries."""

    def __init__(self, parser, text):
        self.library = parser.library
        data, offset, kind = text.encode(), ctypes.c_uint32(), ctypes.c_uint32()
        self.query = self.library.ts_query_new(parser.language, data, len(data), ctypes.byref(offset),
                                               ctypes.byref(kind))
        if not self.query:
            line = data[:offset.value].count(b"\n") + 1
            raise ValueError(f"line {line}: no query of this grammar (mistake {kind.value})")

    def _text(self, function, number):
        return getattr(self.library, function)(self.query, number, ctypes.byref(ctypes.c_uint32())).decode()

    def predicates(self, pattern):
        """The predicates of a pattern, each a name and its arguments; captures are numbers."""
        count = ctypes.c_uint32()
        steps = self.library.ts_query_predicates_for_pattern(self.query, pattern, ctypes.byref(count))
        predicate = []
        for step in steps[:count.value]:
            if step.kind == END:
                yield predicate
                predicate = []
            elif step.kind == CAPTURE:
                predicate.append(step.value)
            else:
                predicate.append(self._text("ts_query_string_value_for_id", step.value))

    def _holds(self, pattern, texts):
        for name, capture, *words in self.predicates(pattern):
            if name == "any-of?" and texts.get(capture) not in words:
                return False
            if name == "eq?" and texts.get(capture) != words[0]:
                return False
            if name not in ("any-of?", "eq?"):
                raise ValueError(f"no predicate that all editors know: {name}")
        return True

    def captures(self, root, data):
        cursor, match = self.library.ts_query_cursor_new(), Match()
        self.library.ts_query_cursor_exec(cursor, self.query, root)
        while self.library.ts_query_cursor_next_match(cursor, ctypes.byref(match)):
            nodes = [(one.index, self.library.ts_node_start_byte(one.node),
                      self.library.ts_node_end_byte(one.node)) for one in match.captures[:match.count]]
            texts = {index: data[start:end].decode() for index, start, end in nodes}
            if self._holds(match.pattern, texts):
                for index, start, end in nodes:
                    yield self._text("ts_query_capture_name_for_id", index), start, texts[index]
        self.library.ts_query_cursor_delete(cursor)


def normalized(tree):
    """A tree on one line."""
    return re.sub(r"\s+(?=\))", "", " ".join(tree.split()))


def laid_out(tree):
    """A tree with each node on a line of its own, as `tree-sitter test` writes it."""
    lines, depth = [], 0
    for part in re.findall(r'(?:\w+: )?\((?:MISSING [^)]*|UNEXPECTED [^)]*|\w+)|\)', tree):
        if part == ")":
            depth -= 1
            lines[-1] += ")"
        else:
            lines.append("  " * depth + part)
            depth += 1
    return "\n".join(lines)
