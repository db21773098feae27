// Joins the processes that a launcher has started, and ends with them.
#include "InRanks.h"
#include "Messages.h"

#include "strata/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"

#include <fcntl.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::StringRef;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Job;
using strata::runtime::dist::Launcher;
using strata::runtime::dist::Outlet;
using strata::runtime::dist::Patience;
using strata::runtime::dist::World;

namespace strata::tool {
namespace {

/// The part of this process in a job.
struct Joined {
  std::unique_ptr<World> world;
  Job job;

  explicit Joined(std::unique_ptr<World> joined) : world(std::move(joined)), job(*world) {}
};

std::optional<Joined> &joined() {
  static std::optional<Joined> one;
  return one;
}

Patience patienceOf(double deadline) {
  return {.deadline = deadline, .note = [](const std::string &text) { noteFromRank(text); }};
}

void tell(const runtime::Error &error) { failInRank(error.sentence()); }

const Outlet outlet = {
    [](const std::string &text, const std::string &place) { showFromRank(text, place); }, tell};

// What this process prints from here on is lost.
void silence() {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

// The deadline of a command line that has not been read yet; 0 if there is none that is right.
double deadlineIn(ArrayRef<const char *> arguments) {
  double seconds = 0;
  for (size_t at = 0; at < arguments.size(); ++at) {
    StringRef text = StringRef(arguments[at]).ltrim('-');
    if (!StringRef(arguments[at]).starts_with("-") || !text.consume_front("deadline"))
      continue;
    if (text.empty() && at + 1 < arguments.size())
      text = arguments[at + 1];
    else if (!text.consume_front("="))
      continue;
    if (text.getAsDouble(seconds) || !(seconds > 0))
      seconds = 0;
  }
  return seconds;
}

// What decides a run besides files.
bool agreeOnCommand(ArrayRef<const char *> arguments) {
  static constexpr std::string_view variables[] = {"STRATA_CPU", "SPARSE_FILE_NAME"};
  if (!agreeInRanks("the version of Strata", STRATA_VERSION) ||
      !agreeInRanks("the command line", llvm::join(arguments, "\n")))
    return false;
  Status status = jobHere()->agreeOnEnvironment(variables);
  if (!status.ok() && !status.error().shown)
    fail(status.error().sentence());
  return status.ok();
}

int runTogether(ArrayRef<const char *> arguments, llvm::function_ref<int()> command) {
  Result<std::unique_ptr<World>> world =
      World::open({.patience = patienceOf(deadlineIn(arguments)), .lost = tell});
  if (!world) {
    runtime::dist::letFirstSpeak();
    if (!world.error().shown)
      fail(world.error().sentence());
    return exitFailure;
  }
  joined().emplace(std::move(*world));
  Job &job = joined()->job;
  if (!job.speaks()) {
    silence();
    keepMessages();
  }
  int code = agreeOnCommand(arguments) ? command() : exitFailure;
  llvm::outs().flush();
  code = job.conclude(code, messagesKept(), outlet);
  joined().reset();
  return code;
}

// Texts that a process shows without looking at others.
bool asksForText(ArrayRef<const char *> arguments) {
  return llvm::any_of(arguments, [](StringRef argument) {
    return argument == "-h" || argument.ltrim('-') == "help" || argument == "--source";
  });
}

} // namespace

World *worldHere() { return joined() ? joined()->world.get() : nullptr; }
Job *jobHere() { return joined() ? &joined()->job : nullptr; }
bool speaksForAll() { return !joined() || joined()->job.speaks(); }

bool settleInRanks(bool ok) {
  Job *job = jobHere();
  return job ? job->settle(ok ? exitSuccess : exitFailure, messagesKept(), outlet) == exitSuccess
             : ok;
}

bool agreeInRanks(const std::string &what, StringRef content) {
  Job *job = jobHere();
  if (!job)
    return true;
  const runtime::dist::Agreed thing = {what, content};
  Status status = job->agree({&thing, 1});
  if (!status.ok() && !status.error().shown)
    fail(status.error().sentence());
  return status.ok();
}

void warnOfProcessors(StringRef processor) {
  Job *job = jobHere();
  if (!job)
    return;
  Result<std::optional<int32_t>> other = job->findOther({"the processor", processor});
  if (other && *other)
    warn("ranks 0 and " + llvm::Twine(**other) +
         " have different processors, whose kernels may give "
         "different bits: --cpu chooses one for all, --deterministic gives the same bits on all");
}

int refuseInRanks(const Launcher &launcher, const llvm::Twine &message, const llvm::Twine &hint) {
  runtime::dist::letFirstSpeak();
  return launcher.rank > 0 ? int(exitMisuse) : refuse(message, hint);
}

int runInRanks(InRanks kind, ArrayRef<const char *> arguments, llvm::function_ref<int()> command) {
  if (kind == InRanks::Together)
    if (std::optional<int> ended = launchRanks())
      return *ended;
  std::optional<Launcher> launcher = runtime::dist::findLauncher();
  if (!launcher || !runtime::dist::hasOthers())
    return command();
  if (asksForText(arguments))
    return launcher->rank > 0 ? int(exitSuccess) : command();
  if (kind == InRanks::Together)
    return runTogether(arguments, command);
  if (launcher->processes == 0)
    return command(); // which may be the only one
  return refuseInRanks(
      *launcher,
      "strata " + StringRef(arguments.front()) + " is the work of one process, and " +
          launcher->name + " has started several",
      "a call without the launcher; with STRATA_MPI=self each process works by itself");
}

bool setDeadline(const llvm::opt::Arg *option) {
  if (!option)
    return true;
  double seconds = 0;
  if (StringRef text = option->getValue(); text.getAsDouble(seconds) || !(seconds > 0)) {
    refuse("'" + text + "' is no deadline", "a number of seconds: --deadline=60");
    return false;
  }
  return true;
}

} // namespace strata::tool
