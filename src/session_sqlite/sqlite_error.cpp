#include "session_sqlite/sqlite_error.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <string>

namespace ingle::session_sqlite_internal {
namespace {

Error from_sqlite(const SQLite::Exception& exception) {
  const std::string words = std::string("SQLite: ") + exception.what();
  switch (exception.getErrorCode()) {
    case SQLITE_FULL:
      return {ErrorCode::kResourceExhausted, "disk_full", words, {}};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::kDataLoss, "store_damaged", words, {}};
    default:
      return {ErrorCode::kUnavailable, "store_failed", words,
              json{{"sqlite_code", exception.getExtendedErrorCode()}}};
  }
}

}  // namespace

Error current_store_error() {
  try {
    throw;
  } catch (const SQLite::Exception& exception) {
    return from_sqlite(exception);
  } catch (const std::exception& exception) {
    return {ErrorCode::kInternal, "store_failed", exception.what(), {}};
  }
}

}  // namespace ingle::session_sqlite_internal
