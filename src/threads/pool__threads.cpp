#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "threads/pool.h"

namespace headlight {
namespace {

// Looks before a thread sleeps: some tens of microseconds, more than lies between two phases of a forward pass.
constexpr int kSpins = 1 << 14;

template <typename Condition>
bool spin(Condition condition) {
  for (int i = 0; i < kSpins; ++i) {
    if (condition()) return true;
  }
  return false;
}

}  // namespace

struct Pool::State {
  enum Phase : int { idle, posted, running, ended };

  // A job is posted to a helper and taken back if it has not begun it by the time that the others are done: no one
  // waits for a thread that the system does not run.
  struct Helper {
    std::atomic<int> phase{idle};
    std::mutex mutex;  // of the two that follow
    std::condition_variable changed;
    bool asleep = false;
    std::thread thread;
  };

  explicit State(std::size_t helpers) : helpers(helpers) {}

  void live(std::size_t index) {
    Helper& helper = helpers[index - 1];
    const auto called = [&] { return helper.phase.load(std::memory_order_acquire) != idle; };
    for (;;) {
      if (!spin(called)) {
        std::unique_lock lock(helper.mutex);
        helper.asleep = true;
        helper.changed.wait(lock, called);
        helper.asleep = false;
      }
      int expected = posted;
      if (helper.phase.compare_exchange_strong(expected, running, std::memory_order_acq_rel)) {
        work(index);
        change(helper, idle);
      } else if (expected == ended) {
        return;
      }
    }
  }

  void work(std::size_t thread) {
    for (;;) {
      const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= job.count) return;
      try {
        job.run(job.context, index, thread);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next.store(job.count, std::memory_order_relaxed);
      }
    }
  }

  static void change(Helper& helper, int phase) {
    const std::lock_guard lock(helper.mutex);
    helper.phase.store(phase, std::memory_order_release);
    if (helper.asleep || phase == idle) helper.changed.notify_all();
  }

  // Returns when the helper is at none of this job's work.
  static void settle(Helper& helper) {
    int expected = posted;
    if (helper.phase.compare_exchange_strong(expected, idle, std::memory_order_acq_rel)) return;
    const auto done = [&] { return helper.phase.load(std::memory_order_acquire) == idle; };
    if (spin(done)) return;
    std::unique_lock lock(helper.mutex);
    helper.changed.wait(lock, done);
  }

  std::vector<Helper> helpers;
  std::size_t started = 0;
  std::atomic_flag busy;
  Job job{};
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
};

Pool::Pool(std::size_t threads) {
  if (threads <= 1) return;
  state_ = std::make_unique<State>(threads - 1);
  try {
    for (State::Helper& helper : state_->helpers) {
      helper.thread =
          std::thread([state = state_.get(), index = state_->started + 1] { state->live(index); });
      ++state_->started;
    }
  } catch (const std::system_error&) {
    // As many as there are.
  }
}

Pool::~Pool() {
  if (!state_) return;
  for (std::size_t i = 0; i < state_->started; ++i) {
    State::change(state_->helpers[i], State::ended);
    state_->helpers[i].thread.join();
  }
}

std::size_t Pool::size() const { return state_ ? state_->started + 1 : 1; }

bool Pool::share(const Job& job, std::size_t threads) {
  threads = std::min({threads, job.count, size()});
  if (threads <= 1 || state_->busy.test_and_set(std::memory_order_acquire)) return false;
  State& state = *state_;
  state.job = job;
  state.next.store(0, std::memory_order_relaxed);
  for (std::size_t i = 0; i + 1 < threads; ++i) State::change(state.helpers[i], State::posted);
  state.work(0);
  for (std::size_t i = 0; i + 1 < threads; ++i) State::settle(state.helpers[i]);
  const std::exception_ptr failure = std::exchange(state.failure, nullptr);
  state.busy.clear(std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
  return true;
}

}  // namespace headlight
