// The hot path allocates nothing per event: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "wire/testing/stream_script.h"

namespace {
std::size_t allocations = 0;

void* counted(std::size_t size) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
}  // namespace

// All forms together: a sanitizer's own may not free what another one gave.
void* operator new(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

constexpr std::size_t kEvents = 300;

// One answer without its end, fed in reads of `bytes_per_read`. How many allocations came with what
// lies behind its first tenth.
std::size_t allocations_of(Exchange& exchange, std::string_view answer,
                           std::size_t bytes_per_read) {
  exchange.begin(true, false);
  std::size_t before = allocations;
  for (std::size_t i = 0; i < answer.size(); i += bytes_per_read) {
    if (i < answer.size() / 10) before = allocations;
    exchange.on_bytes(answer.substr(i, bytes_per_read), at_ms(1));
  }
  const std::size_t seen = allocations - before;
  exchange.on_cut(at_ms(2));
  EXPECT_EQ(exchange.take().tokens.size(), kEvents);
  return seen;
}

std::string chunked(std::string (*event_of)(std::size_t)) {
  std::string all(kStreamHead);
  for (std::size_t i = 0; i < kEvents; ++i) all += chunk(event_of(i));
  return all;
}

std::string alike(std::size_t i) {
  return text_event(fmt::format("word{}", i));
}
std::string all_different(std::size_t i) {
  return event(fmt::format(
      R"({{"id":{},"choices":[{{"delta":{{"content":"a long text \\u00e9 that is no small string"}},)"
      R"("finish_reason":null}}],"usage":{{"completion_tokens":{}}}}})",
      i, i));
}

TEST(Allocation, NoEventOfASteadyStreamAllocates) {
  std::string body;
  for (std::size_t i = 0; i < kEvents; ++i) body += alike(i);
  const std::string head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
  for (const std::string& answer : {chunked(alike), chunked(all_different), head + "\r\n" + body,
                                    head + "content-length: 1000000\r\n\r\n" + body}) {
    Exchange exchange;
    allocations_of(exchange, answer, 1000);  // how long answers are is learned from the first one
    for (const std::size_t bytes_per_read : {1U, 7U, 100U, 161U, 1000U}) {
      EXPECT_EQ(allocations_of(exchange, answer, bytes_per_read), 0U)
          << bytes_per_read << " bytes a read of " << answer.substr(0, 200);
    }
  }
}

TEST(Allocation, TheCounterSeesAnAllocation) {
  const std::size_t before = allocations;
  const auto some = std::make_unique<std::string>(std::string(100, 'a'));
  EXPECT_GE(allocations, before + 2) << some->size();
}

}  // namespace
}  // namespace evenbench::wire
