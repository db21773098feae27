// Runs compiled programs, in a process of their own or as a function.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Entry.h"

#include "strata/Version.h"
#include "strata/host/CompiledKernels.h"
#include "strata/host/Interpreter.h"
#include "strata/host/Parameters.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <tbb/global_control.h>

using namespace strata::host;

namespace {

// Keeps the value of NAME=VALUE; false, and told, where that is none of the program's parameters.
bool addParameter(std::string_view text, const std::map<std::string, ParameterKind> &known,
                  std::map<std::string, std::string> &parameters) {
  size_t equal = text.find('=');
  std::string name(text.substr(0, equal));
  if (equal == std::string_view::npos) {
    std::fprintf(stderr, "error: '%s' is no NAME=VALUE\n", name.c_str());
    return false;
  }
  if (!known.contains(name)) {
    std::fprintf(stderr, "error: the program has no parameter '%s'\n", name.c_str());
    return false;
  }
  parameters[name] = text.substr(equal + 1);
  return true;
}

// A program, and its parameters.
struct Loaded {
  Program program;
  std::map<std::string, ParameterKind> parameters = {};
};

std::optional<Loaded> load(const char *bytes, int64_t size) {
  std::optional<Program> program = decodeOrTell(bytes, size);
  if (!program)
    return std::nullopt;
  Loaded loaded{std::move(*program)};
  loaded.parameters = parametersOf(loaded.program);
  return loaded;
}

int32_t run(const Program &program, const strata_kernel *kernels, Surroundings surroundings) {
  CompiledKernels provider(program, kernels, surroundings.interrupt);
  Console console(program);
  bool ok = Interpreter(program, provider, console, std::move(surroundings)).run();
  std::fflush(stdout);
  return ok ? 0 : 1;
}

volatile int32_t interrupted = 0;

// The first interrupt lets the program end in order, a second one ends it at once.
void onInterrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

void printHelp(const Loaded &loaded, const char *process) {
  std::printf("%s runs the program '%s', which Strata " STRATA_VERSION " compiled.\n\nOptions:\n",
              process, loaded.program.name.c_str());
  for (const auto &[name, kind] : loaded.parameters)
    std::printf("  -D %s=%s\n", name.c_str(), wordOf(kind));
  std::printf("  --threads=N  threads that work at once. Where not given: as many as there are "
              "cores\n  --help       this text\n");
}

} // namespace

std::optional<Program> strata::host::decodeOrTell(const char *bytes, int64_t size) {
  std::optional<Program> program = decode({bytes, size_t(size)});
  if (!program)
    std::fprintf(stderr, "error: the program was compiled by another version of Strata than that "
                         "of its runtime library, " STRATA_VERSION "\n");
  return program;
}

int32_t strata_program_run(const char *bytes, int64_t size, const strata_kernel *kernels,
                           int32_t parameterCount, const char *const *parameters) {
  std::optional<Loaded> loaded = load(bytes, size);
  if (!loaded)
    return 1;
  Surroundings surroundings;
  for (int32_t at = 0; at < parameterCount; ++at)
    if (!addParameter(parameters[at], loaded->parameters, surroundings.parameters))
      return 1;
  return run(loaded->program, kernels, std::move(surroundings));
}

int32_t strata_program_main(const char *bytes, int64_t size, const strata_kernel *kernels,
                            int32_t argumentCount, const char *const *arguments) {
  std::optional<Loaded> loaded = load(bytes, size);
  if (!loaded)
    return 1;
  Surroundings surroundings;
  std::optional<tbb::global_control> limit;
  for (int32_t at = 1; at < argumentCount; ++at) {
    std::string_view argument = arguments[at];
    constexpr std::string_view threads = "--threads=";
    if (argument == "--help" || argument == "-h") {
      printHelp(*loaded, arguments[0]);
      return 0;
    }
    if (argument.starts_with("-D")) {
      argument.remove_prefix(2);
      if (argument.empty() && at + 1 < argumentCount)
        argument = arguments[++at];
      if (!addParameter(argument, loaded->parameters, surroundings.parameters))
        return 2;
    } else if (long count; argument.starts_with(threads) &&
                           (count = std::strtol(arguments[at] + threads.size(), nullptr, 10)) > 0) {
      limit.emplace(tbb::global_control::max_allowed_parallelism, size_t(count));
    } else {
      std::fprintf(stderr, "error: '%s' is no option of this program\n  %s --help lists them\n",
                   arguments[at], arguments[0]);
      return 2;
    }
  }
  surroundings.interrupt = &interrupted;
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  return run(loaded->program, kernels, std::move(surroundings));
}
