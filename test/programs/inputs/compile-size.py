"""Compiles statements of up to eight accesses in all kinds of formats, and counts what LLVM gets.

The statements named are those that once took minutes; the others are drawn, the same on every
machine. Each is computed on little data and compared with the reference interpreter.
"""

import json
import random
import subprocess
import sys

MOST_INSTRUCTIONS = 20000  # of all kernels of a statement; compiled in about a second

SUM = "A(i,j)+B(i,j)+C(i,j)+D(i,j)+E(i,j)+F(i,j)+G(i,j)+H(i,j)"
NAMED = [
    ("z(j) = (A(i,j,k)+B(k,i)+A(k,j,i))*(B(i,k)+A(j,k,i))*(2-A(i,k,j))", "A:sss B:ss"),
    ("z(j) = (A(i,j,k)*B(i,k)+B(k,i)+A(k,j,i))*(B(i,k)+A(j,k,i))", "A:sss B:ss"),
    ("z = (A(i,j)+B(j,k))*(C(k,l)+D(l,i))*(E(i,k)+F(k,j))*(G(j,l)-H(l,k))", "*:CSR"),
    ("z(i,j) = X(i,j)+" + SUM[7:], "X:dd *:CSR"),
    ("z(i,j) = X(i,j)+" + SUM[7:], "z:COO X:dd *:COO"),
    ("z(i,j) = " + SUM, "z:ss *:ss"),
    ("z(i,j,k) = A(i,j,k)+B(i,j,k)+C(i,j,k)", "z:sss *:sss"),
    ("z(i,j,k) = A(i,j,k)+B(i,j,k)+C(i,j,k)+D(i,j,k)+E(i,j,k)", "z:sss *:sss"),
    ("z(i,j) = where(A(i,k) > B(k,j), C(i,j), A(i,k)) + where(B(i,j) > 0.5, 1, C(j,k))", "*:CSR"),
    ("z(i,j) = 1 - ((0.5-A(i,j)-C(i,j)) - B(j,i) + C(i,j)*A(j,i))", "A:CSR B:HYB C:CSR"),
    ("z(i,j) = min(A(i,k)+B(k,j), C(i,j)+D(j,k)) * max(E(i,k)-F(i,j), G(k,k)*H(j,i))", "*:ss"),
]


def formats_of(statement, given):
    """Arguments that give every tensor of a statement a format, and data."""
    known = dict(one.split(":") for one in given.split())
    arguments = []
    left, right = statement.split(" = ", 1)
    names = sorted({c for c in right if c.isupper()})
    for name in names:
        word = known.get(name) or known.get("*")
        arguments.append(f"-f={name}:{word}")
        arguments.append(f"-g={name}:" + ("d" if set(word) == {"d"} else "s:0.4"))
    if "(" in left and "z" in known:
        arguments.append("-f=z:" + known["z"])
    arguments += [f"-d={v}:3" for v in "ijkl" if v in statement.replace("min", "")]
    return arguments


def drawn(rng):
    """A statement of four to eight accesses, and the formats of its operands."""
    variables = "ijk"[: rng.choice([2, 3, 3])]
    formats = {}

    def access():
        order = rng.randint(1, len(variables))
        known = [name for name in formats if len(formats[name][1]) == order]
        if known and rng.random() < 0.3:
            name = rng.choice(known)
        else:
            name = "ABCDEFGH"[len(formats)]
            words = [["s", "d"], ["CSR", "ss", "COO", "HYB", "dd", "CSC"], ["sss", "COO", "dss"]]
            formats[name] = (rng.choice(words[order - 1]), variables[:order])
        return name + "(" + ",".join(rng.sample(variables, order)) + ")"

    terms = [access() for _ in range(rng.randint(4, 8))]
    while len(terms) > 1:
        a, b = (terms.pop(rng.randrange(len(terms))) for _ in range(2))
        patterns = ["({}+{})", "({}+{})", "({}-{})", "{}*{}", "{}*{}", "min({},{})", "(0.5-{})*{}", "({}>{})"]
        terms.append(rng.choice(patterns).format(a, b))
    left = "z(" + ",".join(variables[:2]) + ")"
    given = " ".join(f"{name}:{word}" for name, (word, _) in formats.items())
    return f"{left} = {terms[0]}", given + rng.choice(["", " z:CSR"])


def instructions_of(strata, statement, given):
    call = [strata, statement, *formats_of(statement, given), "--no-cache", "--check", "--json"]
    result = subprocess.run(call, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(" ".join(call) + "\n" + result.stderr + result.stdout)
    steps = json.loads(result.stdout)["steps"]
    return sum(step["compile"]["instructions"] for step in steps)


def main():
    rng = random.Random(18)
    statements = NAMED + [drawn(rng) for _ in range(14)]
    failed = False
    for statement, given in statements:
        count = instructions_of(sys.argv[1], statement, given)
        print(f"{count:6} {statement}  {given}")
        failed |= count > MOST_INSTRUCTIONS
    sys.exit("too many instructions" if failed else 0)


if __name__ == "__main__":
    main()
