#include "ingle/model/language_model.h"

#include <algorithm>

namespace ingle {

std::string_view to_string(ToolProtocol protocol) {
  switch (protocol) {
    case ToolProtocol::kNone:
      return "none";
    case ToolProtocol::kPrompted:
      return "prompted";
    case ToolProtocol::kNative:
      return "native";
  }
  return "";
}

bool ModelInfo::supports(ConstraintKind kind) const {
  return std::find(constraints.begin(), constraints.end(), kind) != constraints.end();
}

}  // namespace ingle
