// The few calls of SQLite that this room needs, with ownership and without exceptions: a database
// handle, a statement that binds and reads its columns in order, and what went wrong.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace evenbench::record::sql {

struct Fault {
  int code = SQLITE_OK;  // extended result code
  int os_error = 0;      // errno of the call that failed; 0 if it was none
  std::string text;      // SQLite's words
  [[nodiscard]] int primary() const { return code & 0xff; }
};

class Database {
 public:
  // `name` may be a URI when `flags` hold SQLITE_OPEN_URI.
  std::optional<Fault> open(const std::string& name, int flags);
  std::optional<Fault> run(const char* statements);
  // SQLite keeps a database open while a statement of it lives.
  void close() { handle_.reset(); }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  [[nodiscard]] Fault last_fault() const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

// Binds parameters and reads columns from left to right. Bound text must live until run() returns.
class Statement {
 public:
  Statement(const Database& db, const std::string& text);

  template <std::integral T>
  Statement& add(T value) {
    sqlite3_bind_int64(handle_.get(), ++bound_, static_cast<std::int64_t>(value));
    return *this;
  }
  Statement& add(double value);
  Statement& add(std::string_view text);
  Statement& add_blob(std::string_view bytes);
  template <typename T>
  Statement& add(const std::optional<T>& value) {
    if (value) return add(*value);
    sqlite3_bind_null(handle_.get(), ++bound_);
    return *this;
  }

  // Runs a statement that gives no rows and makes it ready for the next binding.
  std::optional<Fault> run();
  // Moves to the next row; false after the last one and on a fault.
  bool next();
  // Ready to be bound again after rows were read.
  void restart();
  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }

  template <std::integral T>
  Statement& get(T& value) {
    value = static_cast<T>(sqlite3_column_int64(handle_.get(), read_++));
    return *this;
  }
  Statement& get(bool& value);
  Statement& get(double& value);
  Statement& get(std::string& value);
  template <typename T>
  Statement& get(std::optional<T>& value) {
    value.reset();
    if (sqlite3_column_type(handle_.get(), read_) == SQLITE_NULL) {
      ++read_;
      return *this;
    }
    return get(value.emplace());
  }
  // Text or bytes of the next column, without a copy; dies with the next call of next().
  std::string_view view();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  const Database* db_;
  std::optional<Fault> fault_;
  int bound_ = 0;
  int read_ = 0;
};

}  // namespace evenbench::record::sql
