// A server of HTTP for this machine alone, in one thread.
#ifndef STRATA_TOOLS_SERVE_HTTPSERVER_H
#define STRATA_TOOLS_SERVE_HTTPSERVER_H

#include "serve/HttpMessage.h"
#include "serve/Worker.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>

namespace strata::tool {

struct ServerLimits {
  HttpLimits http = {};
  WorkerLimits worker = {};
  size_t connections = 64;
  size_t workers = 4;                         ///< at once; others wait
  std::chrono::milliseconds patience{10'000}; ///< with a client that does not send or take
};

class HttpServer {
public:
  /// What a request gets: a response at once, or what a worker makes of it, as JSON.
  using Answer = std::variant<HttpResponse, Worker::Work>;
  using Handler = std::function<Answer(const HttpRequest &)>;

  HttpServer(Handler handler, ServerLimits limits);
  HttpServer(const HttpServer &) = delete;
  ~HttpServer();

  /// Listens on a port of 127.0.0.1; of 0 the system chooses one. Gives the port.
  runtime::Result<int> listen(int port);
  /// Answers requests until the process is interrupted or told to end. Ends its workers.
  runtime::Status run();

private:
  struct Connection;

  void accept();
  void read(Connection &connection);
  void handle(Connection &connection, const HttpRequest &request);
  void startWaiting();
  void work(Connection &connection);
  void write(Connection &connection);
  void answer(Connection &connection, const HttpResponse &response);
  /// Of connections whose time is over.
  void expire(std::chrono::steady_clock::time_point now);

  Handler handler;
  ServerLimits limits;
  int listener = -1;
  std::list<std::unique_ptr<Connection>> connections;
};

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_HTTPSERVER_H
