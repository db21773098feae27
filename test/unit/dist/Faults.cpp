// Ranks that die, stop, come late, or do something else than the others.
#include "strata/runtime/dist/Job.h"
#include "test/unit/dist/Launched.h"

#include <csignal>
#include <unistd.h>

using namespace strata::runtime;
using namespace strata::runtime::dist;

namespace strata::test {
namespace {

constexpr int exitLost = 85;

// A message from each rank to the next, over and over.
Status pass(World &world) {
  int64_t there = world.rank(), back = -1;
  const int32_t next = (world.rank() + 1) % world.size(),
                last = (world.rank() + world.size() - 1) % world.size();
  const Message out = {next, &there, 8}, in = {last, &back, 8};
  Result<Channel> channel = world.prepare({&out, 1}, {&in, 1}, "the round of messages");
  if (!channel)
    return channel.takeStatus();
  Status status = channel->start();
  return status.ok() ? channel->finish() : std::move(status);
}

Status runWith(World &world, const std::string &fault) {
  const bool isGuilty = world.rank() == 1;
  if (isGuilty && fault == "killed")
    raise(SIGKILL);
  if (isGuilty && (fault == "stopped" || fault == "silent"))
    raise(SIGSTOP);
  if (isGuilty && fault == "late")
    sleep(2);
  if (fault == "silent")
    return pass(world);
  const Agreed program = {"the program", isGuilty && fault == "other" ? "y = x" : "y = A x"};
  return Job(world).agree({&program, 1});
}

} // namespace

int runFault(const std::string &fault, double deadline) {
  WorldOptions options;
  options.patience.deadline = deadline;
  if (fault == "late")
    options.patience.noteEvery = 0.4;
  Result<std::unique_ptr<World>> opened = World::open(options);
  require(opened.ok(), opened ? "" : opened.error().text().c_str(), __LINE__);
  World &world = **opened;
  Status status = runWith(world, fault);
  const bool isWell = status.ok();
  if (!world.isLost())
    if (Status closed = world.close(); !closed.ok())
      status = std::move(closed);
  if (!status.ok() && (world.isLost() || world.rank() == 0))
    std::fprintf(stderr, "%s\n", status.error().text().c_str());
  if (world.isLost()) {
    world.stop(exitLost);
    return exitLost;
  }
  if (isWell && world.rank() == 0)
    std::printf("all well\n");
  return status.ok() ? 0 : 1;
}

} // namespace strata::test
