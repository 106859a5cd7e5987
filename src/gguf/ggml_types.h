/// Sizes of ggml's tensor types: enough to tell how many bytes a tensor must have.
#pragma once

#include <cstdint>
#include <optional>

namespace ingle {

struct GgmlType {
  std::uint32_t block_values;  ///< Values per block; rows are whole blocks.
  std::uint32_t block_bytes;
};

/// Empty for a type that was removed or that is newer than this table (ggml of llama.cpp v0.5.0).
std::optional<GgmlType> ggml_type(std::uint32_t id);

}  // namespace ingle
