#include "record/sqlite.h"

namespace evenbench::record::sql {
namespace {

// sqlite3_system_errno() says 0 of a COMMIT that failed; the file of the WAL still knows.
int last_errno_of_wal(sqlite3* db) {
  sqlite3_file* wal = nullptr;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&wal));
  int os_error = 0;
  if (wal != nullptr && wal->pMethods != nullptr) {
    wal->pMethods->xFileControl(wal, SQLITE_FCNTL_LAST_ERRNO, &os_error);
  }
  return os_error;
}

}  // namespace

std::optional<Fault> Database::open(const std::string& name, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);  // also after a failure: it holds the message
  if (code != SQLITE_OK) return last_fault();
  sqlite3_extended_result_codes(raw, 1);
  return std::nullopt;
}

std::optional<Fault> Database::run(const char* statements) {
  if (sqlite3_exec(handle_.get(), statements, nullptr, nullptr, nullptr) == SQLITE_OK) {
    return std::nullopt;
  }
  return last_fault();
}

Fault Database::last_fault() const {
  sqlite3* db = handle_.get();
  if (db == nullptr) return {SQLITE_NOMEM, 0, "out of memory"};
  Fault fault{sqlite3_extended_errcode(db), sqlite3_system_errno(db), sqlite3_errmsg(db)};
  if (fault.primary() == SQLITE_IOERR && fault.os_error == 0) {
    fault.os_error = last_errno_of_wal(db);
  }
  return fault;
}

Statement::Statement(const Database& db, const std::string& text) : db_(&db) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(db.handle(), text.c_str(), static_cast<int>(text.size()), &raw, nullptr) !=
      SQLITE_OK) {
    fault_ = db.last_fault();
  }
  handle_.reset(raw);
}

Statement& Statement::add(double value) {
  sqlite3_bind_double(handle_.get(), ++bound_, value);
  return *this;
}

// The pointer of an empty view may be null, which SQLite would take for NULL.
Statement& Statement::add(std::string_view text) {
  sqlite3_bind_text64(handle_.get(), ++bound_, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::add_blob(std::string_view bytes) {
  sqlite3_bind_blob64(handle_.get(), ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  return *this;
}

std::optional<Fault> Statement::run() {
  if (fault_) return fault_;  // it could not be prepared
  bound_ = 0;
  const int code = sqlite3_step(handle_.get());
  std::optional<Fault> fault;
  if (code != SQLITE_DONE && code != SQLITE_ROW) fault = db_->last_fault();
  sqlite3_reset(handle_.get());
  return fault;
}

bool Statement::next() {
  if (fault_) return false;
  read_ = 0;
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_DONE && code != SQLITE_ROW) fault_ = db_->last_fault();
  return code == SQLITE_ROW;
}

void Statement::restart() {
  sqlite3_reset(handle_.get());
  bound_ = 0;
}

Statement& Statement::get(bool& value) {
  value = sqlite3_column_int64(handle_.get(), read_++) != 0;
  return *this;
}

Statement& Statement::get(double& value) {
  value = sqlite3_column_double(handle_.get(), read_++);
  return *this;
}

Statement& Statement::get(std::string& value) {
  value = view();
  return *this;
}

std::string_view Statement::view() {
  const void* bytes = sqlite3_column_blob(handle_.get(), read_);
  const int size = sqlite3_column_bytes(handle_.get(), read_++);
  return {static_cast<const char*>(bytes), bytes == nullptr ? 0 : static_cast<std::size_t>(size)};
}

}  // namespace evenbench::record::sql
