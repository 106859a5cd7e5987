#include "ingle/engine_llama/llama_backend.h"

#include <dlfcn.h>
#include <ggml-backend.h>
#include <llama.h>
#include <log.h>

#include <atomic>
#include <filesystem>
#include <utility>

#include "engine_llama/llama_log.h"

namespace ingle {
namespace {

std::atomic<bool> backend_is_running = false;

/// The folder of the file that llama.cpp was loaded from; empty when that cannot be told.
std::filesystem::path library_folder() {
  // By name and not by address: in a program that is not position independent, the address of an
  // imported function is the program's own.
  const void* symbol = dlsym(RTLD_DEFAULT, "llama_backend_init");
  Dl_info info{};
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  std::error_code ignored;
  return std::filesystem::absolute(info.dli_fname, ignored).parent_path();
}

bool has_cpu() { return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) != nullptr; }

}  // namespace

Result<std::shared_ptr<LlamaBackend>> LlamaBackend::start(std::shared_ptr<Log> log) {
  if (backend_is_running.exchange(true)) {
    return Error{ErrorCode::kFailedPrecondition,
                 "backend_running",
                 "llama.cpp is running already in this process; share that backend",
                 {}};
  }
  std::shared_ptr<LlamaBackend> backend(new LlamaBackend());  // its destructor undoes the exchange
  route_llama_log(std::move(log));
  common_log_set_verbosity_thold(-1);  // `common` has a log of its own, which prints
  std::filesystem::path folder;
  try {
    // A library without loadable backends has them built in; a second start finds them loaded.
    if (!has_cpu()) {
      folder = library_folder();
      if (!folder.empty()) {
        ggml_backend_load_all_from_path(folder.c_str());
      }
    }
    llama_backend_init();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnavailable,
                 "backend_missing",
                 std::string("llama.cpp could not be started: ") + exception.what(),
                 {}};
  }
  if (!has_cpu()) {
    return Error{ErrorCode::kUnavailable,
                 "backend_missing",
                 "no llama.cpp library for this processor was found in " + folder.string() +
                     "; the files libggml-cpu-*.so belong there",
                 {}};
  }
  return backend;
}

LlamaBackend::~LlamaBackend() {
  llama_backend_free();
  route_llama_log(nullptr);
  backend_is_running = false;
}

std::string LlamaBackend::version() const { return llama_version(); }

std::string LlamaBackend::system_info() const { return llama_print_system_info(); }

std::vector<LlamaDevice> LlamaBackend::devices() const {
  std::vector<LlamaDevice> devices;
  for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    const ggml_backend_dev_t device = ggml_backend_dev_get(i);
    devices.push_back({ggml_backend_dev_name(device), ggml_backend_dev_description(device)});
  }
  return devices;
}

}  // namespace ingle
