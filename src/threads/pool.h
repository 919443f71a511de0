// Threads that share out numbered pieces of work.
#pragma once

#include <cstddef>
#include <memory>

namespace headlight {

class Pool {
 public:
  // threads: from 1 on; the caller's own is one of them. Where the system gives fewer, those run; a build without
  // threads has the caller's alone.
  explicit Pool(std::size_t threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const;

  // Calls run(index, thread) once for each index 0 … count - 1, on at most `threads` threads, and returns when all are
  // done; two calls at the same time have a different `thread` < size(). Nothing is allocated. The first exception
  // that a call throws is thrown here, and indices that were not begun are left out.
  // During a call, a call from elsewhere does all its work on its own thread.
  template <typename Run>
  void parallel_for(std::size_t count, std::size_t threads, Run&& run) {
    const Job job{.run = [](void* context, std::size_t index,
                            std::size_t thread) { (*static_cast<Run*>(context))(index, thread); },
                  .context = &run,
                  .count = count};
    if (!share(job, threads)) {
      for (std::size_t i = 0; i < count; ++i) run(i, 0);
    }
  }

 private:
  struct Job {
    void (*run)(void* context, std::size_t index, std::size_t thread);
    void* context;
    std::size_t count;
  };
  // False, and nothing done, where one thread is all there is to have.
  bool share(const Job& job, std::size_t threads);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
