/// The header of a GGUF model file, read without an engine and without trusting the file.
///
/// Format: GGUF versions 2 and 3, little-endian (the specification is in the ggml project).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ingle/core/result.h"

namespace ingle {

struct GgufHeader {
  std::uint32_t version = 0;
  std::uint64_t file_bytes = 0;  ///< Length of the file.
  std::uint64_t tensor_count = 0;
  std::uint64_t parameters = 0;     ///< Sum of the tensors' element counts.
  std::string architecture = {};    ///< general.architecture: "llama", "bert", ...
  std::string name = {};            ///< general.name, or empty.
  std::string license = {};         ///< general.license, or empty.
  std::int64_t context_length = 0;  ///< <architecture>.context_length; 0 when absent.
  bool has_chat_template = false;   ///< tokenizer.chat_template is there.
  /// <architecture>.pooling_type is there and not "none": a model for embeddings or for ranking.
  bool has_pooling = false;
  /// Numbers that a KV cache holds for one token (keys and values of all layers, sliding windows
  /// not considered); 0 when the header does not say.
  std::int64_t kv_values_per_token = 0;
};

/// Reads and checks the header: magic, version, that every string, array and tensor lies within the
/// file, and sane bounds on all counts. Reads at most 256 MiB; memory is bounded by the header's
/// size.
///
/// Errors, each with one sentence that says what to do: not_found "model_not_found";
/// invalid_argument "model_is_folder", "model_empty", "model_not_gguf",
/// "model_version_unsupported", "model_truncated" (details: expected_bytes, actual_bytes),
/// "model_header_invalid"; permission_denied "model_unreadable".
Result<GgufHeader> read_gguf_header(const std::filesystem::path& path);

}  // namespace ingle
