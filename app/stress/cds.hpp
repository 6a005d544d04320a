// What every use of libcds needs: its garbage collector, and threads that it knows.
//
// Stress runs have one collector for the whole process, and each thread detaches when it ends. An explored schedule has
// a collector of its own, made before the container and gone after it, and threads only attach: what libcds frees is
// freed at the end then, by compiled code whose accesses nobody could order. The collector takes everything before it
// has to scan, so that hazard pointers are set and cleared as ever but no node is used again within a schedule.
#pragma once

#ifdef LINCHPIN_EXPLORED
#define CDS_THREADING_GCC  // threads are known by a thread-local variable, which is put back, and not by a
                           // pthread_key_t
#include <cds/details/defs.h>
#undef CDS_THREAD_SANITIZER_ENABLED  // a thread's data would have another size than in the library as it was compiled
#endif
#include <cds/gc/hp.h>
#include <cds/init.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

#ifdef LINCHPIN_EXPLORED
namespace cds::gc::hp {
extern thread_local thread_data* tls_;  // of src/hp.cpp
}
#endif

namespace linchpin::app {

#ifdef LINCHPIN_EXPLORED

/// Before each operation: the calling thread takes part in hazard pointers. Thread-local variables are new in each
/// schedule.
inline void attach_to_cds() {
  if (!cds::threading::Manager::isThreadAttached()) cds::threading::Manager::attachThread();
}

extern cds::gc::hp::smr* cds_collector asm("_ZN3cds2gc2hp3smr9instance_E");  // smr::instance_, which is private

/// The collector of one schedule. `Container` says how many hazard pointers it needs.
template <class Container>
class Collection {
 public:
  Collection() {
    forget();
    std::srand(1);  // of which segmented queues take permutations
    static const bool initialised = (cds::Initialize(), true);
    static_cast<void>(initialised);
    constexpr std::size_t kPointers = [] {
      if constexpr (requires { Container::c_nHazardPtrCount; }) {
        return std::size_t{Container::c_nHazardPtrCount} + 2;
      } else {
        return std::size_t{2};
      }
    }();
    constexpr std::size_t kThreads = 9, kRetired = 256;
    collector_ = std::make_unique<cds::gc::HP>(kPointers, kThreads, kRetired);
    attach_to_cds();
  }
  ~Collection() {
    collector_.reset();
    forget();
  }
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

 private:
  /// What a schedule that was given up has left behind, in the thread that makes containers; and what each leaves: the
  /// library counts the threads that it has ever known.
  static void forget() {
    cds::threading::ThreadData::s_nLastUsedProcNo = 0;
    cds::gc::hp::tls_ = nullptr;
    cds::threading::gcc_internal::s_pThreadData = nullptr;
    cds_collector = nullptr;
  }
  std::unique_ptr<cds::gc::HP> collector_;
};

#else

/// Before each operation: the calling thread takes part in hazard pointers.
inline void attach_to_cds() {
  struct Library {
    Library() {
      cds::Initialize();
      collector = new cds::gc::HP(
          128);  // pointers a thread, enough for skip lists; never deleted: threads may outlive any static
    }
    cds::gc::HP* collector;
  };
  struct Thread {
    Thread() {
      static const Library library;
      cds::threading::Manager::attachThread();
    }
    ~Thread() { cds::threading::Manager::detachThread(); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    void touch() const {}
  };
  static thread_local const Thread thread;
  thread.touch();
}

/// The calling thread may make a container.
template <class Container>
struct Collection {
  Collection() { attach_to_cds(); }
};

#endif

}  // namespace linchpin::app
