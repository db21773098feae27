"""The names in a statement in index notation: of its operands, its result and its indices."""

from __future__ import annotations

import re
from typing import Container

_WORD = re.compile(r"[A-Za-z_]\w*|\d+\.?\d*(?:[eE][+-]?\d+)?i?|\S")
_SEMIRING = re.compile(r"@\s*(?:\([^)]*\)|\w+)")
_OPERATOR = re.compile(r"\s*([-+*|&]|min|max|any)?=(?!=)")
_BRACED = re.compile(r"\b(\w+?)_\{([^{}]*)\}")
_SUBSCRIPTED = re.compile(r"\b([A-Za-z]\w*)_([a-z]+)\b(?!\s*[(\[{])")

#: Names with arguments that are no tensors: functions, reductions, casts.
FUNCTIONS = frozenset(
    """abs sqrt exp log sin cos tan tanh square sign pow re im conj asin acos atan sinh cosh asinh
    acosh atanh log2 log10 log1p expm1 cbrt erf erfc atan2 copysign mod heaviside floor ceil min max where
    sum prod any SUM explicit bool int8 int16 int int32 int64 uint8 uint16 uint32 uint64 float16
    bfloat16 half float float32 double float64 complex64 complex complex128 transpose size nnz
    random stencil solve inverse pinv orthonormal singular_vectors singular_values concat
    read""".split()
)
_WORDS_OF_COORDINATES = frozenset(["floordiv", "mod"])


def split(text: str) -> tuple[str, str, bool]:
    """The left side with its mask, the right side, and whether the left side is updated."""
    name = re.match(r"\s*\w+\s*", text)
    end = name.end() if name else 0
    depth = 0
    while end < len(text) and (depth or text[end] in "([{"):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    rest = text[end:].lstrip()
    if rest.startswith("<"):
        end = text.find(">", end) + 1
    found = _OPERATOR.match(text, end)
    if not found:
        return "", text, False
    return text[:end], text[found.end() :], found[1] is not None


def spelled(text: str, given: Container[str] = ()) -> str:
    """A statement with A(i,j) for A_{i,j} and A_ij: where the letters are indices elsewhere, or where
    no access is spelled otherwise; on the left side where they are indices on the right. Given
    names stay."""
    text = _BRACED.sub(r"\1(\2)", text)
    left, right, _ = split(text)
    accesses, known, _ = names_in(left.partition("<")[0])
    right_accesses, right_labels, _ = names_in(right)
    known |= right_labels
    has_access = bool(accesses or right_accesses)

    def respell(found: "re.Match[str]") -> str:
        if found[0] in given or has_access and not known.issuperset(found[2]):
            return found[0]
        subscripts.update(found[2])
        return f"{found[1]}({','.join(found[2])})"

    subscripts: set[str] = set()
    respelled = _SUBSCRIPTED.sub(respell, right)
    has_access, known = True, known | subscripts
    return _SUBSCRIPTED.sub(respell, left) + text[len(left) : len(text) - len(right)] + respelled


def result_name(text: str, given: Container[str] = ()) -> str:
    """The name of the tensor on a statement's left side; others are given."""
    name = re.match(r"\s*(\w+)", split(spelled(text, given))[0])
    return name[1] if name else ""


def operand_names(text: str, given: Container[str] = ()) -> list[str]:
    """The names of a statement's operands in the order in which they occur on the right side; then
    that of the left side's tensor, if it is updated, and of its mask. Some are given."""
    left, right, updates = split(spelled(text, given))
    accesses, labels, scalars = names_in(right)
    own, own_labels, _ = names_in(left.partition("<")[0])
    mask, _, bare = names_in(
        left.partition("<")[2].replace("structural", "").replace("replace", "")
    )
    labels |= own_labels
    names = [name for name in accesses if name not in labels]
    names = [name for name in dict.fromkeys(names)]
    first = own[:1] or [left.strip()]
    extra = [name for name in own[1:] + mask + bare] + (first if updates else [])
    named = [name for name in scalars if name not in labels]
    return list(dict.fromkeys(_in_order(right, names + named) + extra))


def _in_order(text: str, names: list[str]) -> list[str]:
    words = _WORD.findall(_SEMIRING.sub("*", text))
    return sorted(dict.fromkeys(names), key=words.index)


def names_in(text: str) -> tuple[list[str], set[str], list[str]]:
    """Tensors with indices, labels, and other names that occur in an expression."""
    words = _WORD.findall(_SEMIRING.sub("*", text))
    accesses: list[str] = []
    labels: set[str] = set()
    bare: list[str] = []
    inside: list[bool] = []  # for each open bracket, whether it holds indices
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if word in "([{":
            before = words[at - 1] if at else ""
            is_name = before[:1].isalpha() or before[:1] == "_"
            inside.append(is_name and before not in FUNCTIONS or bool(inside and inside[-1]))
        elif word in ")]}" and inside:
            inside.pop()
        elif word[0].isalpha() or word[0] == "_":
            in_indices = bool(inside and inside[-1])
            if word in _WORDS_OF_COORDINATES or word in FUNCTIONS and following in ("(", "["):
                continue
            if following in ("(", "[") and not (in_indices and _is_window(words, at + 1)):
                accesses.append(word)
            elif in_indices:
                labels.add(word)
            else:
                bare.append(word)
    return accesses, labels, bare


def _is_window(words: list[str], at: int) -> bool:
    """Whether a bracket holds numbers only, as in `i(2,5)`."""
    for word in words[at + 1 :]:
        if word in ")]":
            return True
        if not (word.isdigit() or word == ","):
            return False
    return False
