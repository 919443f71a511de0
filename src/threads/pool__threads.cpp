// POSIX threads and futexes as they are: std::thread and what it waits with bring the texts of system errors and more.
#include <pthread.h>
#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#endif

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdint>
#include <exception>
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

// Sleeps while the value is `old`, or less long.
void wait_while(std::atomic<int>& value, int old) {
#ifdef __EMSCRIPTEN__
  emscripten_futex_wait(&value, static_cast<std::uint32_t>(old), HUGE_VAL);
#else
  value.wait(old, std::memory_order_acquire);
#endif
}

void wake(std::atomic<int>& value) {
#ifdef __EMSCRIPTEN__
  emscripten_futex_wake(&value, INT_MAX);
#else
  value.notify_all();
#endif
}

}  // namespace

struct Pool::State {
  enum Phase : int { idle, posted, running, ended };

  // A job is posted to a helper and taken back if it has not begun it by the time that the others are done: no one
  // waits for a thread that the system does not run.
  struct Helper {
    std::atomic<int> phase{idle};
    State* state = nullptr;
    std::size_t index = 0;
    pthread_t thread{};
  };

  explicit State(std::size_t helpers) : helpers(helpers) {}

  static void* live(void* argument) {
    Helper& helper = *static_cast<Helper*>(argument);
    for (;;) {
      if (!spin([&] { return helper.phase.load(std::memory_order_acquire) != idle; })) {
        wait_while(helper.phase, idle);
      }
      int expected = posted;
      if (helper.phase.compare_exchange_strong(expected, running, std::memory_order_acq_rel)) {
        helper.state->work(helper.index);
        change(helper, idle);
      } else if (expected == ended) {
        return nullptr;
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
        if (!failed.test_and_set(std::memory_order_relaxed)) failure = std::current_exception();
        next.store(job.count, std::memory_order_relaxed);
      }
    }
  }

  static void change(Helper& helper, int phase) {
    helper.phase.store(phase, std::memory_order_release);
    wake(helper.phase);
  }

  // Returns when the helper is at none of this job's work.
  static void settle(Helper& helper) {
    int expected = posted;
    if (helper.phase.compare_exchange_strong(expected, idle, std::memory_order_acq_rel)) return;
    const auto done = [&] { return helper.phase.load(std::memory_order_acquire) == idle; };
    if (spin(done)) return;
    while (!done()) wait_while(helper.phase, running);
  }

  std::vector<Helper> helpers;
  std::size_t started = 0;
  std::atomic_flag busy;
  Job job{};
  std::atomic<std::size_t> next{0};
  std::atomic_flag failed;
  std::exception_ptr failure;  // the first, where there is one
};

Pool::Pool(std::size_t threads) {
  if (threads <= 1) return;
  state_ = std::make_unique<State>(threads - 1);
  for (State::Helper& helper : state_->helpers) {
    helper.state = state_.get();
    helper.index = state_->started + 1;
    if (pthread_create(&helper.thread, nullptr, State::live, &helper) != 0) break;  // as many as there are
    ++state_->started;
  }
}

Pool::~Pool() {
  if (!state_) return;
  for (std::size_t i = 0; i < state_->started; ++i) {
    State::change(state_->helpers[i], State::ended);
    pthread_join(state_->helpers[i].thread, nullptr);
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
  state.failed.clear(std::memory_order_relaxed);
  state.busy.clear(std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
  return true;
}

}  // namespace headlight
