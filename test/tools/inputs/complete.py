"""Prints what bash would offer for the last of the words. Usage: complete.py WORD..."""
import shlex
import subprocess
import sys

words = sys.argv[1:]
script = subprocess.run(["strata", "completion", "bash"], capture_output=True, text=True, check=True)
script = script.stdout + f"""
COMP_WORDS=({" ".join(shlex.quote(word) for word in words)})
COMP_CWORD={len(words) - 1}
_strata
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
sys.stderr.write(done.stderr)
sys.stdout.write(done.stdout)
sys.exit(done.returncode)
