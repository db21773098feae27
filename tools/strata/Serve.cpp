// strata serve: a page on this machine to look at statements with.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "serve/Assets.h"
#include "serve/HttpServer.h"
#include "serve/Views.h"

#include "strata/machine/Machine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace strata::tool {

namespace serve {
#define STRATA_OPTIONS "ServeOptions.inc"
#include "OptionTable.def"
} // namespace serve

const Command serveDescription{"serve", R"(
strata serve shows what becomes of a statement, in a page for a browser on this machine: the plan and
the orders of loops that were not chosen, the loops, the iteration graph, the merge lattices, how
formats store, C and assembly, times and patterns, while statement, formats and schedule are edited.

  strata serve                  prints the address of the page; Ctrl-C ends it
  strata serve --port=8000 data

It listens on 127.0.0.1 alone. The page may use tensor files below the folder (where none is given,
the present one), and no others. Each request is computed in a process of its own, which writes no
files, and is ended where it takes more than the time and the memory that are allowed.
)",
                               serve::table, "[FOLDER]",
                               "look at statements, plans and code in a browser"};

namespace {

/// What may ask, and what it gets.
class PageServer {
public:
  PageServer(std::string folder, int64_t memoryBytes)
      : folder(std::move(folder)), memoryBytes(memoryBytes) {}

  void listensOn(int port) {
    for (StringRef name : {"127.0.0.1", "localhost"})
      hosts.push_back((name + ":" + llvm::Twine(port)).str());
  }

  HttpServer::Answer answer(const HttpRequest &request) const {
    // Another site's page must not ask by a name of its own, or in the name of this one.
    if (!llvm::is_contained(hosts, request.header("host")))
      return plain(403, "this server is known as " + hosts.front() + " alone");
    StringRef origin = request.header("origin");
    if (!origin.empty() && !(origin.consume_front("http://") && llvm::is_contained(hosts, origin)))
      return plain(403, "another site's page may not ask this server");
    StringRef path = StringRef(request.target).split('?').first;
    if (path == "/view") {
      if (request.method != "POST")
        return plain(405, "a view is asked for by POST");
      if (StringRef(request.header("content-type")).split(';').first.trim() != "application/json")
        return plain(415, "a view is asked for in JSON");
      return Worker::Work(
          [body = request.body, this] { return viewAnswer(body, folder, memoryBytes); });
    }
    if (request.method != "GET" && request.method != "HEAD")
      return plain(405, "files are asked for by GET");
    if (std::optional<HttpResponse> asset = assetAt(path))
      return *asset;
    return plain(404, "there is nothing here");
  }

private:
  static HttpResponse plain(int status, const llvm::Twine &text) {
    return {.status = status, .type = "text/plain; charset=utf-8", .body = (text + "\n").str()};
  }

  std::string folder;
  int64_t memoryBytes;
  std::vector<std::string> hosts;
};

} // namespace

// What a worker reads beside the folder: libraries, what the system says of the machine, and what
// was measured of it.
static std::vector<std::string> readableFiles(const std::string &folder) {
  std::vector<std::string> names{folder, "/usr",      "/lib",         "/lib64",          "/proc",
                                 "/sys", "/dev/null", "/dev/urandom", "/etc/ld.so.cache"};
  names.push_back(machine::machineFile());
  // The programs and libraries of an installation lie beside each other.
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  names.push_back(llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)).str());
  return names;
}

// The folder's real name; nothing after a mistake, which was reported.
static std::optional<std::string> readFolder(const llvm::opt::InputArgList &list) {
  std::vector<std::string> folders = list.getAllArgValues(serve::OPT_INPUT);
  if (folders.size() > 1) {
    refuse("strata serve takes one folder, not " + llvm::Twine(folders.size()));
    return std::nullopt;
  }
  std::string given = folders.empty() ? "." : folders.front();
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(given, real) || !llvm::sys::fs::is_directory(real)) {
    fail("'" + given + "' is no folder");
    return std::nullopt;
  }
  return std::string(real);
}

int serveCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace serve;
  Arguments args = parseArguments(serveDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  int64_t port = 0, seconds = 10;
  for (auto [option, value, least] :
       {std::tuple(OPT_port, &port, 0), {OPT_time_limit, &seconds, 1}})
    if (const llvm::opt::Arg *given = args.list.getLastArg(option)) {
      std::optional<int64_t> count = parseCount(*given, least);
      if (!count)
        return exitMisuse;
      *value = *count;
    }
  if (port > 65535)
    return refuse("'" + llvm::Twine(port) + "' is not a port", "from 1 to 65535, or 0 for any");
  std::optional<int64_t> memory = parseMemory(args.list, OPT_max_memory);
  std::optional<std::string> folder = readFolder(args.list);
  if (!memory)
    return exitMisuse;
  if (!folder)
    return exitFailure;
  ServerLimits limits;
  limits.worker.time = std::chrono::seconds(std::min<int64_t>(seconds, 86400));
  if (*memory >= 0)
    limits.worker.memoryBytes = std::max<int64_t>(*memory, int64_t(64) << 20);
  limits.worker.readable = readableFiles(*folder);
  PageServer pages(std::move(*folder), limits.worker.memoryBytes);
  HttpServer server([&](const HttpRequest &request) { return pages.answer(request); }, limits);
  runtime::Result<int> bound = server.listen(int(port));
  if (!bound)
    return fail(bound.error().sentence());
  pages.listensOn(*bound);
  llvm::outs() << "http://127.0.0.1:" << *bound << "/\n";
  llvm::outs().flush();
  note("Ctrl-C ends the server");
  runtime::Status ended = server.run();
  return ended.ok() ? exitSuccess : fail(ended.error().sentence());
}

} // namespace strata::tool
