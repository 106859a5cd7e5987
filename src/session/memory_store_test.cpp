#include "ingle/session/memory_store.h"

#include <memory>

#include "conformance/session_store_conformance.h"

namespace ingle::conformance {
namespace {

INSTANTIATE_TEST_SUITE_P(Memory, SessionStoreConformance, ::testing::Values([] {
                           return StoreHarness{std::make_unique<MemoryStore>(), {}};
                         }));

}  // namespace
}  // namespace ingle::conformance
