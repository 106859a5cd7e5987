#include "gguf/ggml_types.h"

#include <array>

namespace ingle {
namespace {

// Indexed by ggml_type; {0, 0} where there is none (any more).
constexpr std::array<GgmlType, 43> kTypes = {{
    {1, 4},      // 0 F32
    {1, 2},      // 1 F16
    {32, 18},    // 2 Q4_0
    {32, 20},    // 3 Q4_1
    {0, 0},      // 4
    {0, 0},      // 5
    {32, 22},    // 6 Q5_0
    {32, 24},    // 7 Q5_1
    {32, 34},    // 8 Q8_0
    {32, 36},    // 9 Q8_1
    {256, 84},   // 10 Q2_K
    {256, 110},  // 11 Q3_K
    {256, 144},  // 12 Q4_K
    {256, 176},  // 13 Q5_K
    {256, 210},  // 14 Q6_K
    {256, 292},  // 15 Q8_K
    {256, 66},   // 16 IQ2_XXS
    {256, 74},   // 17 IQ2_XS
    {256, 98},   // 18 IQ3_XXS
    {256, 50},   // 19 IQ1_S
    {32, 18},    // 20 IQ4_NL
    {256, 110},  // 21 IQ3_S
    {256, 82},   // 22 IQ2_S
    {256, 136},  // 23 IQ4_XS
    {1, 1},      // 24 I8
    {1, 2},      // 25 I16
    {1, 4},      // 26 I32
    {1, 8},      // 27 I64
    {1, 8},      // 28 F64
    {256, 56},   // 29 IQ1_M
    {1, 2},      // 30 BF16
    {0, 0},      // 31
    {0, 0},      // 32
    {0, 0},      // 33
    {256, 54},   // 34 TQ1_0
    {256, 66},   // 35 TQ2_0
    {0, 0},      // 36
    {0, 0},      // 37
    {0, 0},      // 38
    {32, 17},    // 39 MXFP4
    {64, 36},    // 40 NVFP4
    {128, 18},   // 41 Q1_0
    {64, 18},    // 42 Q2_0
}};

}  // namespace

std::optional<GgmlType> ggml_type(std::uint32_t id) {
  if (id >= kTypes.size() || kTypes[id].block_values == 0) {
    return std::nullopt;
  }
  return kTypes[id];
}

}  // namespace ingle
