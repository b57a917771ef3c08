// A queue from one thread to one other that is never full: a list of fixed chunks. push() takes no
// lock and waits for nothing; it allocates once per chunk. A bounded ring (boost::lockfree) would
// need a second way out for the moment when the disk stalls, and this is smaller than both.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace evenbench::record {

template <typename T, std::size_t kChunk = 128>
class LaneQueue {
 public:
  LaneQueue() : head_(std::make_unique<Chunk>()), tail_(head_.get()) {}
  LaneQueue(const LaneQueue&) = delete;
  LaneQueue& operator=(const LaneQueue&) = delete;
  ~LaneQueue() {
    while (head_) head_ = std::move(head_->next);  // a long chain must not recurse
  }

  // The producer's side.
  void push(T&& item) {
    const std::uint64_t position = pushed_.load(std::memory_order_relaxed);
    const std::size_t slot = position % kChunk;
    if (slot == 0 && position != 0) {
      tail_->next = std::make_unique<Chunk>();
      tail_ = tail_->next.get();
    }
    tail_->items[slot] = std::move(item);
    // Publishes the item and the chunk that holds it.
    pushed_.store(position + 1, std::memory_order_release);
  }

  // How many items were ever pushed. Any thread.
  [[nodiscard]] std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }

  // The consumer's side. Takes the next item; only while popped() < a value that pushed() gave.
  T pop() {
    const std::size_t slot = popped_ % kChunk;
    if (slot == 0 && popped_ != 0) head_ = std::move(head_->next);
    ++popped_;
    return std::move(head_->items[slot]);
  }
  [[nodiscard]] std::uint64_t popped() const { return popped_; }

 private:
  struct Chunk {
    std::array<T, kChunk> items;
    std::unique_ptr<Chunk> next;
  };
  static constexpr std::size_t kCacheLine = 64;  // the two sides must not share one

  alignas(kCacheLine) std::unique_ptr<Chunk> head_;
  std::uint64_t popped_ = 0;
  alignas(kCacheLine) Chunk* tail_;
  std::atomic<std::uint64_t> pushed_{0};
};

}  // namespace evenbench::record
