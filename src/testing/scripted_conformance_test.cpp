#include "conformance/language_model_conformance.h"
#include "ingle/testing/scripted_model.h"

namespace ingle::conformance {
namespace {

/// More replies than any test of the suite asks for.
std::shared_ptr<LanguageModel> scripted_model() {
  constexpr std::size_t kReplies = 8;
  const testing::ScriptedReply reply{.pieces = {"The sea is ", "water, ", "with salt in it."}};
  return std::make_shared<testing::ScriptedModel>(
      std::vector<testing::ScriptedReply>(kReplies, reply));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Scripted, LanguageModelConformance, ::testing::Values(scripted_model));

}  // namespace ingle::conformance
