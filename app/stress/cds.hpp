// What every use of libcds needs: its garbage collector, and threads that it knows.
#pragma once

#include <cds/gc/hp.h>
#include <cds/init.h>

namespace linchpin::app {

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

}  // namespace linchpin::app
