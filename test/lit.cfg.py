# The lit suite: every .mlir, .ta and .test file under test/ is a test, by its RUN lines.
# Programs: strata, strata-opt, FileCheck, not, split-file. %data is the folder of real matrices;
# a test that needs it says `REQUIRES: data`, one for the long run only `REQUIRES: long`.
import os

import lit.formats

config.name = "strata"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ta", ".test"]
config.excludes = ["unit", "fuzz", "python", "check", "install", "inputs"]
config.test_source_root = os.path.join(config.strata_source, "test")
# Runs at the same time need folders of their own (--param output=NAME).
config.test_exec_root = os.path.join(
    config.strata_build, "test", lit_config.params.get("output", "lit-output")
)

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.strata_build, "bin"), config.llvm_tools, os.environ["PATH"]]
)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "STRATA_DATA", "STRATA_LONG", "STRATA_CPU"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# What links programs that are compiled ahead.
config.environment["CC"] = config.c_compiler

# Kernels that a test has compiled serve the others, too.
config.environment["STRATA_CACHE_DIR"] = os.path.join(config.strata_build, "test", "kernels")

# No settings of a user: tests have files of their own.
config.environment["XDG_CONFIG_HOME"] = os.path.join(config.strata_build, "test", "no-settings")

# Nothing that was measured of this machine shows in what is printed.
config.environment["STRATA_MACHINE"] = ""

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%cc", config.c_compiler))
config.substitutions.append(("%share", os.path.join(config.strata_build, "share")))
config.substitutions.append(("%examples", os.path.join(config.strata_source, "examples")))

# Upstream's runner, for what --sparsifier makes: with its libraries, and Strata's.
runner = os.path.join(config.llvm_tools, "mlir-runner")
runner_libraries = [
    os.path.join(os.path.dirname(config.llvm_tools), "lib", "libmlir_c_runner_utils.so"),
    os.path.join(config.strata_build, "lib", "libstrata_program.so"),
]
if os.path.exists(runner) and all(map(os.path.exists, runner_libraries)):
    config.available_features.add("mlir-runner")
    # An instrumented library finds the sanitizers' runtime in no program of others. What modules do
    # not deallocate is theirs to leak.
    prefix = ""
    if config.sanitizer_runtime:
        options = config.environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        prefix = f"env LD_PRELOAD={config.sanitizer_runtime} ASAN_OPTIONS={options} "
    config.substitutions.append(
        ("%runner", f"{prefix}{runner} -e main -entry-point-result=void "
                    f"-shared-libs={','.join(runner_libraries)}")
    )

# The architecture that strata runs on: x86_64 or aarch64.
config.available_features.add(config.processor)

data = os.environ.get("STRATA_DATA", "")
if os.path.isdir(data):
    config.available_features.add("data")
    config.substitutions.append(("%data", os.path.abspath(data)))
if os.environ.get("STRATA_LONG"):
    config.available_features.add("long")
