"""Examples in C of docs/Errors.md: the bodies of functions that return an error of the library, all in one program."""
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = pathlib.Path(os.environ["STRATA"]).resolve().parents[1] / "lib"

BEFORE = """\
#include "strata/api/strata.h"
#include <stdio.h>
#include <stdlib.h>

#define check(call) do { strata_error *failed = (call); if (failed) return failed; } while (0)

static strata_session *session;

static void demand(strata_error *error) {
  if (!error)
    return;
  fprintf(stderr, "what examples begin with fails: %s\\n", strata_error_message(error));
  exit(3);
}

static strata_format *format(const char *text, int32_t order) {
  strata_format *made = NULL;
  demand(strata_format_parse(session, text, order, STRATA_F64, &made));
  return made;
}

static strata_tensor *zeros(const char *text, int32_t order) {
  const int64_t sizes[] = {3, 3, 3};
  strata_tensor *made = NULL;
  demand(strata_tensor_empty(session, format(text, order), sizes, &made));
  return made;
}
"""

AFTER = """\
int main(int count, char **numbers) {
  strata_error *error;
  (void)count, (void)zeros;
  demand(strata_session_create(&session));
  error = examples[atoi(numbers[1])]();
  if (!error)
    return 0;
  fprintf(stderr, "error: %s [%s]\\n", strata_error_message(error), strata_error_mistake(error));
  return 1;
}
"""


class CExamples:
    """A program that runs one of the examples, by its number."""

    def __init__(self, bodies, folder):
        self.numbers = {body: number for number, body in enumerate(dict.fromkeys(bodies))}
        self.program = folder / "examples"
        text = BEFORE
        for body, number in self.numbers.items():
            text += f"\nstatic strata_error *example{number}(void) {{\n{body}\n}}\n"
        names = ", ".join(f"example{number}" for number in self.numbers.values())
        text += f"\nstatic strata_error *(*const examples[])(void) = {{{names}}};\n\n{AFTER}"
        (folder / "examples.c").write_text(text)
        # What examples make lives as long as the process, which says nothing about leaks.
        self.environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c99", "-Wall", "-Werror", f"-I{SOURCE}",
                        folder / "examples.c", f"-L{LIBRARIES}", "-lstrata", f"-Wl,-rpath,{LIBRARIES}",
                        "-o", self.program], check=True)

    def run(self, body):
        """The exit code and the message of an example."""
        done = subprocess.run([self.program, str(self.numbers[body])], env=self.environment, capture_output=True,
                              text=True)
        return done.returncode, done.stderr
