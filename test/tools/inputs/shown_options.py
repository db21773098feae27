"""Checks that completion and the manual page have every option that --help shows."""
import re
import subprocess
import sys

COMMANDS = "statement run explain explore emit info check convert reorder spy cache completion manual".split()


def output(*arguments):
    return subprocess.run(["strata", *arguments], capture_output=True, text=True, check=True).stdout


manual = output("manual").replace("\\-", "-")
scripts = {shell: output("completion", shell) for shell in ("bash", "zsh", "fish")}
missing = []
count = 0
for command in COMMANDS:
    options = output("help", command).split("\nOptions:\n")[1]
    for call in re.findall(r"^  (-\S+)", options, re.MULTILINE):
        count += 1
        word = re.match(r"--?[\w-]+", call).group()
        if f".B {call}" not in manual:
            missing.append(f"manual: strata {command} {call}")
        for shell, script in scripts.items():
            dashes = {1: "-s ", 2: "-o "}[min(2, len(word) - 1)] if word[1] != "-" else "-l "
            wanted = dashes + word.lstrip("-") if shell == "fish" else word
            if wanted not in script:
                missing.append(f"{shell}: strata {command} {call}")
print(f"{count} options", *missing, sep="\n")
sys.exit(1 if missing or count < 60 else 0)
