#include "sim/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <utility>

#include "sim/service.h"
#include "sim/session.h"

namespace evenbench::sim {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kStopCheck{20};
constexpr std::chrono::milliseconds kAcceptPause{50};

class Server {
 public:
  Server(const ServerOptions& options, const Clock& clock, const std::atomic<bool>& stop)
      : options_(options),
        clock_(clock),
        stop_(stop),
        service_(options, clock.now(), clock.wall()) {
    events_.on_call = [this](const Call& call, Client& client) {
      on_instant();
      service_.handle(call, client, clock_.now());
      arm();
    };
    events_.on_gone = [this](Client& client) {
      on_instant();
      service_.gone(client, clock_.now());
      arm();
    };
  }

  Result<std::uint16_t> listen() {
    error_code error;
    const auto address = asio::ip::make_address(options_.host, error);
    if (error) {
      return usage_error(fmt::format(
          "host \"{}\" is not an address: use a number such as 127.0.0.1 or ::1", options_.host));
    }
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(4096, error);
    if (error) {
      return environment_error(
          fmt::format("cannot listen on {} port {}: {}; choose another port, or 0 for a free one",
                      options_.host, options_.port, error.message()));
    }
    return acceptor_.local_endpoint().port();
  }

  void run() {
    accept();
    watch_stop();
    io_.run();
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error) {  // out of descriptors: the clients in line must wait, not the engine
        pause_.expires_after(kAcceptPause);
        pause_.async_wait([this](error_code) { accept(); });
        return;
      }
      std::make_shared<Session>(std::move(socket), events_)->start();
      accept();
    });
  }

  void watch_stop() {
    if (stop_.load()) {
      io_.stop();
      return;
    }
    stop_timer_.expires_after(kStopCheck);
    stop_timer_.async_wait([this](error_code) { watch_stop(); });
  }

  void on_instant() { service_.advance(clock_.now()); }

  void arm() {
    const auto next = service_.next_instant();
    if (!next || next == armed_for_) return;
    armed_for_ = next;
    step_timer_.expires_after(std::max(*next - clock_.now(), Nanos{0}));
    step_timer_.async_wait([this](error_code error) {
      if (error) return;  // re-armed for another instant
      armed_for_.reset();
      on_instant();
      arm();
    });
  }

  const ServerOptions& options_;
  const Clock& clock_;
  const std::atomic<bool>& stop_;
  Service service_;
  Session::Events events_;
  std::optional<MonoTime> armed_for_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer step_timer_{io_};
  asio::steady_timer stop_timer_{io_};
  asio::steady_timer pause_{io_};
};

}  // namespace

Result<std::vector<std::string>> start_log(const ServerOptions& options, std::uint16_t port,
                                           WallTime now) {
  const auto engine = engine_of(options.profile, options.settings, options.model);
  if (!engine) return engine.error();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return engine->dialect->start_log(*engine, port, seconds);
}

Result<void> serve(const ServerOptions& options, const Clock& clock, const std::atomic<bool>& stop,
                   const std::function<void(std::uint16_t port)>& on_ready) {
  if (!(options.speed > 0.0)) return usage_error("speed must be above 0");
  const auto engine = engine_of(options.profile, options.settings, options.model);
  if (!engine) return engine.error();
  Server server(options, clock, stop);
  const auto port = server.listen();
  if (!port) return port.error();
  on_ready(*port);
  server.run();
  return {};
}

}  // namespace evenbench::sim
