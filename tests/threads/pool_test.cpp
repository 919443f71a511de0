#include "threads/pool.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using headlight::Pool;

TEST_CASE("a pool runs each index once") {
  for (const std::size_t size : {1, 2, 3, 5}) {
    Pool pool(size);
    REQUIRE(pool.size() == size);
    for (const std::size_t count : {0, 1, 2, 7, 1000}) {
      for (const std::size_t threads : {0, 1, 2, 9}) {
        std::vector<std::atomic<int>> calls(count);
        std::vector<std::atomic<int>> at_work(size);
        std::atomic<bool> alone = true;
        pool.parallel_for(count, threads, [&](std::size_t index, std::size_t thread) {
          if (thread >= size || at_work[thread]++ != 0) alone = false;
          ++calls[index];
          --at_work[thread];
        });
        for (const auto& times : calls) CHECK(times == 1);
        CHECK(alone);
      }
    }
  }
}

TEST_CASE("a pool's threads work at the same time") {
  Pool pool(2);
  // Each waits for the other. A helper may come too late for a job, but not for ever.
  std::atomic<int> met = 0;
  for (int attempt = 0; attempt < 1000 && met < 2; ++attempt) {
    met = 0;
    pool.parallel_for(2, 2, [&](std::size_t, std::size_t) {
      ++met;
      for (int i = 0; i < 1000 && met < 2; ++i) std::this_thread::yield();
    });
  }
  CHECK(met == 2);
}

TEST_CASE("a pool passes on an exception and still works") {
  Pool pool(3);
  for (int round = 0; round < 20; ++round) {
    CHECK_THROWS_AS(pool.parallel_for(100, 3,
                                      [](std::size_t index, std::size_t) {
                                        if (index == 40) throw std::runtime_error("40");
                                      }),
                    std::runtime_error);
    std::atomic<int> calls = 0;
    pool.parallel_for(50, 3, [&](std::size_t, std::size_t) { ++calls; });
    CHECK(calls == 50);
  }
}

TEST_CASE("a pool that is in use leaves a call to its own thread") {
  Pool pool(2);
  std::atomic<int> inner = 0;
  std::atomic<bool> own_thread = true;
  pool.parallel_for(4, 2, [&](std::size_t, std::size_t) {
    const auto self = std::this_thread::get_id();
    pool.parallel_for(3, 2, [&](std::size_t, std::size_t thread) {
      ++inner;
      if (thread != 0 || std::this_thread::get_id() != self) own_thread = false;
    });
  });
  CHECK(inner == 12);
  CHECK(own_thread);
}
