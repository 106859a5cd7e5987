#include "engine_llama/load_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ingle {
namespace {

constexpr std::int32_t kMaxDefaultContext = 8192;
constexpr std::int32_t kMinContext = 16;
constexpr std::int32_t kMaxBatch = 8192;
constexpr std::int32_t kMaxThreads = 512;
constexpr std::uint64_t kComputeBytes = std::uint64_t{96} << 20U;  // scratch, logits

constexpr std::array kEmbeddingArchitectures = {
    "bert",         "modern-bert", "nomic-bert", "nomic-bert-moe",  "neo-bert",    "jina-bert-v2",
    "jina-bert-v3", "eurobert",    "t5encoder",  "gemma-embedding", "llama-embed",
};

// Known to llama.cpp, but not as something that continues a text.
constexpr std::array kOtherArchitectures = {
    "clip", "t5",       "wavtokenizer-dec", "llada",  "llada-moe", "dream",
    "rnd1", "qwen3tts", "pockettts",        "eagle3", "dflash",    "gemma4-assistant",
};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Error out_of_range(std::string_view option, const std::string& range) {
  return {ErrorCode::kInvalidArgument,
          "option_out_of_range",
          "the option " + std::string(option) + " must be " + range,
          {}};
}

std::string in_mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

}  // namespace

Result<void> check_load_options(const LlamaModelOptions& options) {
  if (options.context_window != 0 && options.context_window < kMinContext) {
    return out_of_range("context_window", "0 or at least " + std::to_string(kMinContext));
  }
  if (options.threads < 0 || options.threads > kMaxThreads) {
    return out_of_range("threads", "from 0 to " + std::to_string(kMaxThreads));
  }
  if (options.batch_threads < 0 || options.batch_threads > kMaxThreads) {
    return out_of_range("batch_threads", "from 0 to " + std::to_string(kMaxThreads));
  }
  if (options.gpu_layers < -1) {
    return out_of_range("gpu_layers", "-1 for all, or at least 0");
  }
  if (options.kv_cache_type != KvCacheType::kF16 && options.flash_attention == false) {
    return out_of_range("flash_attention", "on when the cache is smaller than f16");
  }
  if (options.batch_size < 1 || options.batch_size > kMaxBatch) {
    return out_of_range("batch_size", "from 1 to " + std::to_string(kMaxBatch));
  }
  return {};
}

Result<void> check_architecture(const GgufHeader& header) {
  if (contains(kEmbeddingArchitectures, header.architecture) || header.has_pooling) {
    return Error{ErrorCode::kUnsupported,
                 "model_is_embedding",
                 "this model (" + header.architecture +
                     ") makes embeddings and cannot chat; choose a chat model",
                 {}};
  }
  if (header.architecture.empty() || contains(kOtherArchitectures, header.architecture)) {
    return Error{ErrorCode::kUnsupported,
                 "architecture_unsupported",
                 "the file's architecture \"" + header.architecture +
                     "\" cannot write text; choose a chat model",
                 {}};
  }
  return {};
}

Result<std::int32_t> choose_context_window(std::int32_t requested, std::int64_t model_context) {
  if (requested == 0) {
    const std::int64_t own = model_context > 0 ? model_context : kMaxDefaultContext;
    return static_cast<std::int32_t>(std::min<std::int64_t>(own, kMaxDefaultContext));
  }
  if (model_context > 0 && requested > model_context) {
    return out_of_range("context_window",
                        "at most " + std::to_string(model_context) + ", the model's own");
  }
  return requested;
}

std::uint64_t estimate_memory(const GgufHeader& header, std::int32_t context_window) {
  constexpr double kBytesPerValue = 2.0;  // the cache is F16
  const double cache = static_cast<double>(header.kv_values_per_token) *
                       static_cast<double>(context_window) * kBytesPerValue;
  const double needed =
      static_cast<double>(header.file_bytes) + cache + static_cast<double>(kComputeBytes);
  return needed < 0x1.0p63 ? static_cast<std::uint64_t>(needed) : std::uint64_t{1} << 63U;
}

Result<void> check_memory(std::uint64_t needed_bytes, std::uint64_t available_bytes) {
  if (available_bytes == 0 || needed_bytes <= available_bytes) {
    return {};
  }
  return Error{ErrorCode::kResourceExhausted, "model_too_large",
               "the model needs about " + in_mebibytes(needed_bytes) + " of memory and " +
                   in_mebibytes(available_bytes) +
                   " are available; choose a smaller model or a smaller context window",
               json{{"needed_bytes", needed_bytes}, {"available_bytes", available_bytes}}};
}

}  // namespace ingle
