// Runs compiled programs, in a process of their own or as a function.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Entry.h"

#include "strata/Version.h"
#include "strata/host/CompiledKernels.h"
#include "strata/host/Interpreter.h"
#include "strata/host/Parameters.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <tbb/global_control.h>

using namespace strata::host;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Agreed;
using strata::runtime::dist::Job;
using strata::runtime::dist::World;

namespace {

// Keeps the value of NAME=VALUE; false, and told, where that is none of the program's parameters.
bool addParameter(std::string_view text, const std::map<std::string, ParameterKind> &known,
                  std::map<std::string, std::string> &parameters, FILE *messages) {
  size_t equal = text.find('=');
  std::string name(text.substr(0, equal));
  if (equal == std::string_view::npos) {
    std::fprintf(messages, "error: '%s' is no NAME=VALUE\n", name.c_str());
    return false;
  }
  if (!known.contains(name)) {
    std::fprintf(messages, "error: the program has no parameter '%s'\n", name.c_str());
    return false;
  }
  parameters[name] = text.substr(equal + 1);
  return true;
}

using ProgramBytes = std::string_view; // of host::encode

// A program, and its parameters.
struct Loaded {
  Program program;
  std::map<std::string, ParameterKind> parameters = {};
};

std::optional<Loaded> load(const ProgramBytes &bytes, FILE *messages) {
  std::optional<Program> program = decodeOrTell(bytes.data(), int64_t(bytes.size()), messages);
  if (!program)
    return std::nullopt;
  Loaded loaded{std::move(*program)};
  loaded.parameters = parametersOf(loaded.program);
  return loaded;
}

// Says what there is to say on the streams of the process, or keeps it, where another one speaks
// for it.
class Voice {
public:
  Voice() = default;
  Voice(const Voice &) = delete;
  ~Voice() {
    if (kept)
      std::fclose(kept);
    std::free(text);
  }
  void keep() {
    kept = open_memstream(&text, &length);
    if (kept)
      out = messages = kept;
  }
  std::string said() {
    std::fflush(messages);
    return {text ? text : "", length};
  }

  FILE *out = stdout, *messages = stderr;

private:
  FILE *kept = nullptr;
  char *text = nullptr;
  size_t length = 0;
};

// Writes what is left of the output; false, and told, if some of it could not be written.
bool finishOutput(Voice &voice) {
  errno = EIO; // what failed before has left no other reason
  if (std::fflush(voice.out) == 0 && !std::ferror(voice.out))
    return true;
  std::fprintf(voice.messages, "error: %s\n",
               strata::runtime::systemError("write standard output").sentence().c_str());
  return false;
}

int32_t run(const Program &program, const strata_kernel *kernels, Voice &voice,
            Surroundings surroundings) {
  CompiledKernels provider(program, kernels, surroundings.interrupt);
  Console console(program, voice.out, voice.messages);
  const bool ok = Interpreter(program, provider, console, std::move(surroundings)).run();
  return finishOutput(voice) && ok ? 0 : 1;
}

volatile int32_t interrupted = 0;

// The first interrupt lets the program end in order, a second one ends it at once.
void onInterrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

// Signals that whoever started the process has told it to ignore stay so (nohup, jobs in the
// background).
void catchInterrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction present;
    if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
      std::signal(signal, onInterrupt);
  }
}

void printHelp(const Loaded &loaded, const char *process, FILE *out) {
  std::fprintf(out,
               "%s runs the program '%s', which Strata " STRATA_VERSION " compiled.\n\nOptions:\n",
               process, loaded.program.name.c_str());
  for (const auto &[name, kind] : loaded.parameters)
    std::fprintf(out, "  -D %s=%s\n", name.c_str(), wordOf(kind));
  std::fprintf(out,
               "  --threads=N  threads that work at once. Where not given: as many as there are "
               "cores,\n               of several ranks on a node its share of them\n"
               "  --deadline=SECONDS\n               of several ranks: end if one waits for "
               "another longer than that\n"
               "  --help       this text\n");
}

// The number behind an option; nothing if the argument is another one, or none greater than 0.
std::optional<double> numberOf(std::string_view argument, std::string_view option) {
  if (!argument.starts_with(option))
    return std::nullopt;
  const std::string text(argument.substr(option.size()));
  char *end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  return *end == '\0' && number > 0 ? std::optional(number) : std::nullopt;
}

// A process that runs one program, alone or with others that a launcher has started.
class Process {
public:
  /// `world` and `job` are null where the process is alone.
  Process(Loaded loaded, ProgramBytes bytes, World *world, Job *job, Voice &voice)
      : loaded(std::move(loaded)), bytes(bytes), world(world), job(job), voice(voice) {}

  int32_t run(const strata_kernel *kernels, std::span<const char *const> arguments) {
    std::optional<int32_t> ended = read(arguments);
    if (ended)
      return *ended;
    if (Status agreed = agree(); !agreed.ok()) {
      if (!agreed.error().shown)
        std::fprintf(voice.messages, "error: %s\n", agreed.error().sentence().c_str());
      return 1;
    }
    surroundings.job = job;
    surroundings.interrupt = &interrupted;
    catchInterrupts();
    return ::run(loaded.program, kernels, voice, std::move(surroundings));
  }

private:
  // Verifies that all processes run the same.
  Status agree() {
    if (!job)
      return Status();
    static constexpr std::string_view variables[] = {"SPARSE_FILE_NAME"};
    const Agreed things[] = {{"the program", bytes}, {"the parameters", given}};
    Status agreed = job->agree(things);
    return agreed.ok() ? job->agreeOnEnvironment(variables) : std::move(agreed);
  }

  // Reads the arguments; gives the code to end with, if that is all.
  std::optional<int32_t> read(std::span<const char *const> arguments) {
    double threads = job && job->size() > 1 ? world->processors() : 0;
    for (size_t at = 1; at < arguments.size(); ++at) {
      std::string_view argument = arguments[at];
      if (argument == "--help" || argument == "-h") {
        printHelp(loaded, arguments[0], voice.out);
        return finishOutput(voice) ? 0 : 1;
      }
      if (argument.starts_with("-D")) {
        argument.remove_prefix(2);
        if (argument.empty() && at + 1 < arguments.size())
          argument = arguments[++at];
        if (!addParameter(argument, loaded.parameters, surroundings.parameters, voice.messages))
          return 2;
        (given += argument) += '\n';
      } else if (std::optional<double> count = numberOf(argument, "--threads=")) {
        threads = std::max(*count, 1.0);
      } else if (!numberOf(argument, "--deadline=")) {
        std::fprintf(voice.messages,
                     "error: '%s' is no option of this program\n  %s --help lists them\n",
                     arguments[at], arguments[0]);
        return 2;
      }
    }
    if (threads > 0)
      limit.emplace(tbb::global_control::max_allowed_parallelism, size_t(std::min(threads, 1e6)));
    return std::nullopt;
  }

  Loaded loaded;
  ProgramBytes bytes;
  World *world;
  Job *job;
  Voice &voice;
  Surroundings surroundings;
  std::string given; ///< the parameters, as they stand in the command line
  std::optional<tbb::global_control> limit;
};

// --deadline=SECONDS before the other arguments are read; 0 without it.
double deadlineIn(std::span<const char *const> arguments) {
  double seconds = 0;
  for (const char *argument : arguments)
    seconds = numberOf(argument, "--deadline=").value_or(seconds);
  return seconds;
}

void tell(const Error &error) { std::fprintf(stderr, "error: %s\n", error.sentence().c_str()); }

int32_t runAlone(const ProgramBytes &bytes, const strata_kernel *kernels,
                 std::span<const char *const> arguments) {
  Voice voice;
  std::optional<Loaded> loaded = load(bytes, voice.messages);
  return loaded
             ? Process(std::move(*loaded), bytes, nullptr, nullptr, voice).run(kernels, arguments)
             : 1;
}

int32_t runWithOthers(const ProgramBytes &bytes, const strata_kernel *kernels,
                      std::span<const char *const> arguments) {
  Result<std::unique_ptr<World>> world =
      World::open({.patience = {.deadline = deadlineIn(arguments)}, .lost = tell});
  if (!world) {
    strata::runtime::dist::letFirstSpeak();
    if (!world.error().shown)
      tell(world.error());
    return 1;
  }
  Job job(**world);
  Voice voice;
  if (!job.speaks())
    voice.keep();
  std::optional<Loaded> loaded = load(bytes, voice.messages);
  int32_t code = 1;
  if (loaded)
    code = Process(std::move(*loaded), bytes, world->get(), &job, voice).run(kernels, arguments);
  auto show = [](const std::string &text, const std::string &place) {
    std::fputs(text.c_str(), stderr);
    if (!place.empty())
      std::fprintf(stderr, "note: %s\n", place.c_str());
  };
  return job.conclude(code, voice.said(), {show, tell});
}

} // namespace

std::optional<Program> strata::host::decodeOrTell(const char *bytes, int64_t size, FILE *messages) {
  std::optional<Program> program = decode({bytes, size_t(size)});
  if (!program)
    std::fprintf(messages, "error: the program was compiled by another version of Strata than that "
                           "of its runtime library, " STRATA_VERSION "\n");
  return program;
}

int32_t strata_program_run(const char *bytes, int64_t size, const strata_kernel *kernels,
                           int32_t parameterCount, const char *const *parameters) {
  std::optional<Loaded> loaded = load({bytes, size_t(size)}, stderr);
  if (!loaded)
    return 1;
  Surroundings surroundings;
  for (int32_t at = 0; at < parameterCount; ++at)
    if (!addParameter(parameters[at], loaded->parameters, surroundings.parameters, stderr))
      return 1;
  Voice voice;
  return run(loaded->program, kernels, voice, std::move(surroundings));
}

int32_t strata_program_main(const char *bytes, int64_t size, const strata_kernel *kernels,
                            int32_t argumentCount, const char *const *arguments) {
  auto run = strata::runtime::dist::hasOthers() ? runWithOthers : runAlone;
  return run({bytes, size_t(size)}, kernels, {arguments, size_t(argumentCount)});
}
