// Waits for whatever happens next: a connection, bytes of one, a worker that is done, a signal.
#include "serve/HttpServer.h"

#include "llvm/Support/JSON.h"

#include <arpa/inet.h>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

namespace strata::tool {

using runtime::Result;
using runtime::Status;

struct HttpServer::Connection {
  Connection(int socket, Clock::time_point deadline) : socket(socket), deadline(deadline) {}
  ~Connection() { close(socket); }

  enum class State { Reading, Waiting, Working, Writing, Draining, Done };
  int socket;
  Clock::time_point deadline;
  State state = State::Reading;
  std::string in, out;
  size_t sent = 0;
  bool isHead = false; ///< it asked for no body
  Worker::Work work;   ///< while it waits
  std::optional<Worker> worker;
};

// How many connections are told at one time that there are too many.
static constexpr size_t refusedAtOnce = 16;

HttpServer::HttpServer(Handler handler, ServerLimits limits)
    : handler(std::move(handler)), limits(limits) {}

HttpServer::~HttpServer() {
  if (listener >= 0)
    close(listener);
}

static Status systemError(const std::string &what) {
  return runtime::Error{runtime::Error::System, what + ": " + std::strerror(errno)};
}

Result<int> HttpServer::listen(int port) {
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0)
    return systemError("no socket");
  int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0)
    return systemError("cannot listen on port " + std::to_string(port));
  if (::listen(listener, 64) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) != 0)
    return systemError("cannot listen");
  return int(ntohs(address.sin_port));
}

void HttpServer::accept() {
  while (connections.size() < limits.connections + refusedAtOnce) {
    int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0)
      return;
    auto one = std::make_unique<Connection>(socket, Clock::now() + limits.patience);
    if (connections.size() >= limits.connections)
      answer(*one, {.status = 503,
                    .type = "text/plain; charset=utf-8",
                    .body = "there are too many connections\n"});
    connections.push_back(std::move(one));
  }
}

void HttpServer::answer(Connection &connection, const HttpResponse &response) {
  connection.worker.reset();
  connection.out = bytesOf(response, !connection.isHead);
  connection.state = Connection::State::Writing;
  connection.deadline = Clock::now() + limits.patience;
}

void HttpServer::handle(Connection &connection, const HttpRequest &request) {
  connection.isHead = request.method == "HEAD";
  Answer given = handler(request);
  if (const auto *response = std::get_if<HttpResponse>(&given))
    return answer(connection, *response);
  connection.work = std::move(std::get<Worker::Work>(given));
  connection.state = Connection::State::Waiting;
}

void HttpServer::read(Connection &connection) {
  char buffer[16384];
  while (true) {
    ssize_t count = recv(connection.socket, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    if (count <= 0) { // it went away; what works for it is in vain
      connection.state = Connection::State::Done;
      return;
    }
    if (connection.state != Connection::State::Reading)
      continue; // what follows a request is not read
    connection.in.append(buffer, size_t(count));
    auto parsed = parseRequest(connection.in, limits.http);
    if (const auto *request = std::get_if<HttpRequest>(&parsed))
      handle(connection, *request);
    else if (const auto *wrong = std::get_if<HttpResponse>(&parsed))
      answer(connection, *wrong);
  }
}

void HttpServer::startWaiting() {
  size_t working = 0;
  for (const auto &one : connections)
    working += one->state == Connection::State::Working;
  for (const auto &one : connections) {
    if (one->state != Connection::State::Waiting || working >= limits.workers)
      continue;
    Result<Worker> worker = Worker::start(one->work, limits.worker);
    one->work = nullptr;
    if (!worker) {
      answer(*one, {.status = 503,
                    .type = "text/plain; charset=utf-8",
                    .body = worker.error().sentence() + "\n"});
      continue;
    }
    one->worker.emplace(std::move(*worker));
    one->state = Connection::State::Working;
    ++working;
  }
}

// The answer of a worker that failed, or was ended.
static std::string failureText(const runtime::Error &error) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute("ok", false);
    json.attribute("log", error.message + (error.expected.empty() ? "" : ": " + error.expected) +
                              error.mark());
    json.attributeArray("messages", [] {});
  });
  return text;
}

void HttpServer::work(Connection &connection) {
  if (!connection.worker->read())
    return;
  Status ended = connection.worker->finish();
  std::string text = ended.ok() ? connection.worker->result() : failureText(ended.error());
  answer(connection, {.status = 200, .type = "application/json", .body = std::move(text)});
}

void HttpServer::write(Connection &connection) {
  while (connection.sent < connection.out.size()) {
    ssize_t count = send(connection.socket, connection.out.data() + connection.sent,
                         connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    if (count <= 0)
      break;
    connection.sent += size_t(count);
    connection.deadline = Clock::now() + limits.patience;
  }
  // What the client still sends is read before the connection is closed: else it may lose the
  // answer.
  shutdown(connection.socket, SHUT_WR);
  connection.state = Connection::State::Draining;
  connection.deadline = Clock::now() + std::min(limits.patience, std::chrono::milliseconds(2000));
}

void HttpServer::expire(Clock::time_point now) {
  for (const auto &one : connections) {
    if (one->state == Connection::State::Working && now >= one->worker->deadline()) {
      Status ended = one->worker->finish();
      answer(*one,
             {.status = 200,
              .type = "application/json",
              .body = failureText(ended.ok() ? runtime::Error::alreadyShown() : ended.error())});
    } else if (one->state == Connection::State::Reading && now >= one->deadline) {
      answer(*one, {.status = 408, .type = "text/plain", .body = "the request does not come\n"});
    } else if ((one->state == Connection::State::Writing ||
                one->state == Connection::State::Draining) &&
               now >= one->deadline) {
      one->state = Connection::State::Done;
    }
  }
}

Status HttpServer::run() {
  sigset_t signals, before;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &before);
  int signalled = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signalled < 0)
    return systemError("no signals");
  while (true) {
    startWaiting();
    // More than are answered wait for the kernel, not with a descriptor each.
    const bool hasRoom = connections.size() < limits.connections + refusedAtOnce;
    std::vector<pollfd> polled{{signalled, POLLIN, 0}, {listener, short(hasRoom ? POLLIN : 0), 0}};
    std::vector<Connection *> owners{nullptr, nullptr};
    for (const auto &one : connections) {
      bool writes = one->state == Connection::State::Writing;
      polled.push_back({one->socket, short(writes ? POLLOUT : POLLIN), 0});
      owners.push_back(one.get());
      if (one->state == Connection::State::Working) {
        polled.push_back({one->worker->descriptor(), POLLIN, 0});
        owners.push_back(one.get());
      }
    }
    if (poll(polled.data(), nfds_t(polled.size()), 100) < 0 && errno != EINTR)
      break;
    signalfd_siginfo taken;
    if (polled[0].revents && ::read(signalled, &taken, sizeof taken) > 0)
      break;
    for (size_t at = 2; at < polled.size(); ++at) {
      Connection &one = *owners[at];
      if (!polled[at].revents || one.state == Connection::State::Done)
        continue;
      if (one.state == Connection::State::Writing)
        write(one);
      else if (one.state == Connection::State::Working && polled[at].fd != one.socket)
        work(one);
      else
        read(one);
    }
    if (polled[1].revents)
      accept();
    expire(Clock::now());
    connections.remove_if([](const auto &one) { return one->state == Connection::State::Done; });
  }
  connections.clear();
  close(signalled);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return {};
}

} // namespace strata::tool
