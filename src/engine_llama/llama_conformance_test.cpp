#include "conformance/language_model_conformance.h"
#include "engine_llama/model_fixture.h"

namespace ingle::conformance {

INSTANTIATE_TEST_SUITE_P(Llama, LanguageModelConformance,
                         ::testing::Values([] { return ingle::testing::test_model(); }));

}  // namespace ingle::conformance
