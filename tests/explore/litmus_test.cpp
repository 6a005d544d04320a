// Litmus tests: which outcomes the C++20 memory model allows, row by row, against what exploring finds. Where a row
// allows an outcome that only load buffering gives, the table leaves it out: the model here has none (docs/explore.md).
#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"

namespace linchpin::litmus_test {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kBoth = std::memory_order_acq_rel;
constexpr auto kSequential = std::memory_order_seq_cst;

struct Memory {
  std::atomic<int> x = 0, y = 0, z = 0;
  int a = -1, b = -1, c = -1, d = -1;
};

std::string numbers(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += std::to_string(value);
  return text;
}

using Outcomes = std::set<std::string>;

Outcomes outcomes(const Threads<Memory>& threads, ExploreMemory memory = ExploreMemory::cpp20) {
  ExploreOptions options;
  options.memory = memory;
  options.deviations = 20;  // all
  const ExploreResult result = explore(threads, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
  return Outcomes(result.outcomes.begin(), result.outcomes.end());
}

Threads<Memory> memory() {
  return Threads<Memory>([] { return std::make_unique<Memory>(); });
}

// MP: x is data, y says that it is there. 10 is the outcome at stake: the flag without the data.
Outcomes message_passing(std::memory_order store, std::memory_order load, ExploreMemory model = ExploreMemory::cpp20) {
  return outcomes(memory()
                      .add([=](Memory& m) {
                        m.x.store(1, kRelaxed);
                        m.y.store(1, store);
                      })
                      .add([=](Memory& m) {
                        m.a = m.y.load(load);
                        m.b = m.x.load(kRelaxed);
                      })
                      .observe([](Memory& m) {
                        return numbers({m.a, m.b});
                      }),
                  model);
}

TEST(Litmus, MessagePassing) {
  EXPECT_EQ(message_passing(kRelease, kAcquire), Outcomes({"00", "01", "11"}));
  EXPECT_EQ(message_passing(kSequential, kSequential), Outcomes({"00", "01", "11"}));
  EXPECT_EQ(message_passing(kRelaxed, kAcquire), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(message_passing(kRelease, kRelaxed), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(message_passing(kRelaxed, kRelaxed), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(message_passing(kRelaxed, kRelaxed, ExploreMemory::sequential), Outcomes({"00", "01", "11"}));
}

// Atomics smaller than a word, and plain variables of their threads in what is left of it: those are none of theirs.
struct Crowded {
  alignas(8) std::atomic<int> x{0};
  int beside_x = 0;
  alignas(8) std::atomic<std::uint8_t> y{0};
  std::uint8_t beside_y[7] = {};
  int a = -1, b = -1;
};

std::set<std::string> crowded_message_passing(std::memory_order store, std::memory_order load) {
  Threads<Crowded> threads([] { return std::make_unique<Crowded>(); });
  threads.add([=](Crowded& m) {
    m.x.store(1, kRelaxed);
    m.beside_x = 7;
    m.y.store(1, store);
    m.beside_y[0] = m.beside_y[6] = 7;
  });
  threads.add([=](Crowded& m) {
    m.a = m.y.load(load);
    m.b = m.x.load(kRelaxed);
  });
  threads.observe([](Crowded& m) { return numbers({m.a, m.b}); });
  ExploreOptions options;
  options.memory = ExploreMemory::cpp20;
  options.deviations = 20;  // all
  const ExploreResult result = explore(threads, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  return Outcomes(result.outcomes.begin(), result.outcomes.end());
}

TEST(Litmus, PlainNeighboursOfAnAtomicLeaveItsStores) {
  EXPECT_EQ(crowded_message_passing(kRelease, kAcquire), Outcomes({"00", "01", "11"}));
  EXPECT_EQ(crowded_message_passing(kRelaxed, kRelaxed), Outcomes({"00", "01", "10", "11"}));
}

TEST(Litmus, MessagePassingByFences) {
  const auto fenced = [](std::memory_order first, std::memory_order second) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, kRelaxed);
                          std::atomic_thread_fence(first);
                          m.y.store(1, kRelaxed);
                        })
                        .add([=](Memory& m) {
                          m.a = m.y.load(kRelaxed);
                          std::atomic_thread_fence(second);
                          m.b = m.x.load(kRelaxed);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b});
                        }));
  };
  EXPECT_EQ(fenced(kRelease, kAcquire), Outcomes({"00", "01", "11"}));
  EXPECT_EQ(fenced(kSequential, kSequential), Outcomes({"00", "01", "11"}));
  EXPECT_EQ(fenced(kAcquire, kAcquire), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(fenced(kRelease, kRelease), Outcomes({"00", "01", "10", "11"}));
}

// SB: each writes and reads the other one's. 00 is at stake.
TEST(Litmus, StoreBuffering) {
  const auto buffered = [](std::memory_order store, std::memory_order load, bool fences) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, store);
                          if (fences) std::atomic_thread_fence(kSequential);
                          m.a = m.y.load(load);
                        })
                        .add([=](Memory& m) {
                          m.y.store(1, store);
                          if (fences) std::atomic_thread_fence(kSequential);
                          m.b = m.x.load(load);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b});
                        }));
  };
  EXPECT_EQ(buffered(kRelaxed, kRelaxed, false), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(buffered(kRelease, kAcquire, false), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(buffered(kSequential, kSequential, false), Outcomes({"01", "10", "11"}));
  EXPECT_EQ(buffered(kSequential, kAcquire, false), Outcomes({"00", "01", "10", "11"}));
  EXPECT_EQ(buffered(kRelaxed, kRelaxed, true), Outcomes({"01", "10", "11"}));
}

// LB: 11 would need a load that sees a store of the future. Allowed for relaxed, and not explored.
TEST(Litmus, LoadBufferingIsNotExplored) {
  const auto buffered = [](std::memory_order load, std::memory_order store) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.a = m.x.load(load);
                          m.y.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.b = m.y.load(load);
                          m.x.store(1, store);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b});
                        }));
  };
  EXPECT_EQ(buffered(kAcquire, kRelease), Outcomes({"00", "01", "10"}));
  EXPECT_EQ(buffered(kRelaxed, kRelaxed), Outcomes({"00", "01", "10"}));
}

// IRIW: two readers see two writes in different orders. 1010 is at stake.
TEST(Litmus, IndependentReadsOfIndependentWrites) {
  const auto disagree = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) { m.x.store(1, store); })
                        .add([=](Memory& m) { m.y.store(1, store); })
                        .add([=](Memory& m) {
                          m.a = m.x.load(load);
                          m.b = m.y.load(load);
                        })
                        .add([=](Memory& m) {
                          m.c = m.y.load(load);
                          m.d = m.x.load(load);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b, m.c, m.d});
                        }))
        .contains("1010");
  };
  EXPECT_TRUE(disagree(kRelaxed, kRelaxed));
  EXPECT_TRUE(disagree(kRelease, kAcquire));
  EXPECT_FALSE(disagree(kSequential, kSequential));
}

// 2+2W: each variable ends with the value that its thread wrote first: 11 is at stake.
TEST(Litmus, TwoPlusTwoWrites) {
  const auto both = [](std::memory_order store) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, store);
                          m.y.store(2, store);
                        })
                        .add([=](Memory& m) {
                          m.y.store(1, store);
                          m.x.store(2, store);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.x.load(), m.y.load()});
                        }));
  };
  EXPECT_EQ(both(kRelaxed), Outcomes({"11", "12", "21", "22"}));
  EXPECT_EQ(both(kRelease), Outcomes({"11", "12", "21", "22"}));
  EXPECT_EQ(both(kSequential), Outcomes({"12", "21", "22"}));
}

// Coherence: two loads of one variable never go back; stores of one thread keep their order.
TEST(Litmus, AtomicObjectsOnTheStackBeginAnew) {
  struct Shared {
    std::atomic<std::atomic<int>*> offered = nullptr;
  };
  Threads<Shared> threads([] { return std::make_unique<Shared>(); });
  threads.add([](Shared& s) {
    for (int i = 0; i < 2; ++i) {  // at the same address both times
      std::atomic<int> own = 0;
      s.offered.store(&own, std::memory_order_relaxed);
      assert(own.load(std::memory_order_relaxed) == 0);
      own.store(1, std::memory_order_relaxed);
      s.offered.store(nullptr, std::memory_order_relaxed);
    }
  });
  threads.add([](Shared& s) { s.offered.load(std::memory_order_relaxed); });
  ExploreOptions options;
  options.memory = ExploreMemory::cpp20;
  const ExploreResult result = explore(threads, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
}

TEST(Litmus, Coherence) {
  const Outcomes reads = outcomes(memory()
                                      .add([](Memory& m) {
                                        m.x.store(1, kRelaxed);
                                        m.x.store(2, kRelaxed);
                                      })
                                      .add([](Memory& m) {
                                        m.a = m.x.load(kRelaxed);
                                        m.b = m.x.load(kRelaxed);
                                      })
                                      .observe([](Memory& m) {
                                        return numbers({m.a, m.b, m.x.load()});
                                      }));
  EXPECT_EQ(reads, Outcomes({"002", "012", "022", "112", "122", "222"}));
  // CoWR: one's own store is not overlooked. CoRW: what was read comes before what is then written.
  const Outcomes own = outcomes(memory()
                                    .add([](Memory& m) {
                                      m.x.store(1, kRelaxed);
                                      m.a = m.x.load(kRelaxed);
                                    })
                                    .add([](Memory& m) {
                                      m.b = m.x.load(kRelaxed);
                                      m.x.store(2, kRelaxed);
                                    })
                                    .observe([](Memory& m) {
                                      return numbers({m.a, m.b, m.x.load()});
                                    }));
  EXPECT_FALSE(own.contains("011"));
  EXPECT_FALSE(own.contains("111"));  // it read 1, so that 2 comes after 1
  EXPECT_FALSE(own.contains("001"));
  EXPECT_TRUE(own.contains("101"));  // it read 0, and 2 came before 1
}

// WRC: what a thread has seen and passed on. 110 is at stake.
TEST(Litmus, WriteToReadCausality) {
  const auto lost = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) { m.x.store(1, kRelaxed); })
                        .add([=](Memory& m) {
                          m.a = m.x.load(kRelaxed);
                          m.y.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.b = m.y.load(load);
                          m.c = m.x.load(kRelaxed);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b, m.c});
                        }))
        .contains("110");
  };
  EXPECT_FALSE(lost(kRelease, kAcquire));
  EXPECT_TRUE(lost(kRelaxed, kAcquire));
  EXPECT_TRUE(lost(kRelease, kRelaxed));
}

// ISA2: a chain of two messages. 110 is at stake.
TEST(Litmus, ChainOfMessages) {
  const auto lost = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, kRelaxed);
                          m.y.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.a = m.y.load(load);
                          m.z.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.b = m.z.load(load);
                          m.c = m.x.load(kRelaxed);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b, m.c});
                        }))
        .contains("110");
  };
  EXPECT_FALSE(lost(kRelease, kAcquire));
  EXPECT_TRUE(lost(kRelaxed, kRelaxed));
}

// RWC: 100 is at stake: only where everything is seq_cst is it impossible.
TEST(Litmus, ReadToWriteCausality) {
  const auto lost = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) { m.x.store(1, store); })
                        .add([=](Memory& m) {
                          m.a = m.x.load(load);
                          m.b = m.y.load(load);
                        })
                        .add([=](Memory& m) {
                          m.y.store(1, store);
                          m.c = m.x.load(load);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b, m.c});
                        }))
        .contains("100");
  };
  EXPECT_TRUE(lost(kRelease, kAcquire));
  EXPECT_FALSE(lost(kSequential, kSequential));
}

// S: a store that comes after a load which saw a message is not below what the message carries. 12 is at stake: the
// load saw 1, and x still ends with 2.
TEST(Litmus, StoreAfterMessage) {
  const auto below = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(2, kRelaxed);
                          m.y.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.a = m.y.load(load);
                          m.x.store(1, kRelaxed);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.x.load()});
                        }))
        .contains("12");
  };
  EXPECT_FALSE(below(kRelease, kAcquire));
  EXPECT_TRUE(below(kRelaxed, kAcquire));
  EXPECT_TRUE(below(kRelease, kRelaxed));
}

// R: y ends with 2, and the thread that wrote that reads x as 0. 20 is at stake.
TEST(Litmus, StoreThenLoad) {
  const auto overlooked = [](std::memory_order store, std::memory_order load) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, store);
                          m.y.store(1, store);
                        })
                        .add([=](Memory& m) {
                          m.y.store(2, store);
                          m.a = m.x.load(load);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.y.load(), m.a});
                        }))
        .contains("20");
  };
  EXPECT_TRUE(overlooked(kRelease, kAcquire));
  EXPECT_FALSE(overlooked(kSequential, kSequential));
}

// A read-modify-write continues a release sequence, a plain store of anybody ends it.
TEST(Litmus, ReleaseSequences) {
  const auto lost = [](bool update) {
    return outcomes(memory()
                        .add([=](Memory& m) {
                          m.x.store(1, kRelaxed);
                          m.y.store(1, kRelease);
                        })
                        .add([=](Memory& m) {
                          if (update) {
                            m.y.fetch_add(2, kRelaxed);
                          } else if (m.y.load(kRelaxed) == 1) {
                            m.y.store(3, kRelaxed);
                          }
                        })
                        .add([=](Memory& m) {
                          m.a = m.y.load(kAcquire);
                          m.b = m.x.load(kRelaxed);
                        })
                        .observe([](Memory& m) {
                          return numbers({m.a, m.b});
                        }))
        .contains("30");
  };
  EXPECT_FALSE(lost(true));
  EXPECT_TRUE(lost(false));
}

TEST(Litmus, ReadModifyWritesAreAtomic) {
  EXPECT_EQ(outcomes(memory()
                         .add([](Memory& m) { m.a = m.x.fetch_add(1, kRelaxed); })
                         .add([](Memory& m) { m.b = m.x.fetch_add(1, kRelaxed); })
                         .observe([](Memory& m) {
                           return numbers({m.a, m.b, m.x.load()});
                         })),
            Outcomes({"012", "102"}));
  // A store does not come between an update and what it read.
  const Outcomes stored = outcomes(memory()
                                       .add([](Memory& m) { m.a = m.x.fetch_add(1, kRelaxed); })
                                       .add([](Memory& m) { m.x.store(5, kRelaxed); })
                                       .observe([](Memory& m) {
                                         return numbers({m.a, m.x.load()});
                                       }));
  EXPECT_EQ(stored, Outcomes({"05", "56"}));
}

// What C++20 allows and is left out, as docs/explore.md says: whoever adds it changes the page. A read-modify-write
// reads the newest store that has run.
TEST(Litmus, LeftOutExchangesOfOlderValues) {
  EXPECT_EQ(outcomes(memory()
                         .add([](Memory& m) {
                           m.x.store(1, kRelaxed);
                           m.a = m.y.exchange(5, kRelaxed);
                         })
                         .add([](Memory& m) {
                           m.y.store(1, kRelaxed);
                           m.b = m.x.exchange(5, kRelaxed);
                         })
                         .observe([](Memory& m) {
                           return numbers({m.a, m.b});
                         })),
            Outcomes({"01", "10", "11"}));
}

// The order of seq_cst operations never contradicts what happens before what. RWC and Z6.U of P0668.
TEST(Litmus, LeftOutSequentialOrdersAgainstHappensBefore) {
  EXPECT_FALSE(outcomes(memory()
                            .add([](Memory& m) { m.x.store(1, kSequential); })
                            .add([](Memory& m) {
                              m.a = m.x.load(kAcquire);
                              m.b = m.y.load(kSequential);
                            })
                            .add([](Memory& m) {
                              m.y.store(1, kSequential);
                              m.c = m.x.load(kSequential);
                            })
                            .observe([](Memory& m) {
                              return numbers({m.a, m.b, m.c});
                            }))
                   .contains("100"));
  EXPECT_FALSE(outcomes(memory()
                            .add([](Memory& m) {
                              m.x.store(1, kSequential);
                              m.y.store(1, kRelease);
                            })
                            .add([](Memory& m) {
                              m.a = m.y.fetch_add(1, kSequential);
                              m.b = m.y.load(kRelaxed);
                            })
                            .add([](Memory& m) {
                              m.y.store(3, kSequential);
                              m.c = m.x.load(kSequential);
                            })
                            .observe([](Memory& m) {
                              return numbers({m.a, m.b, m.c});
                            }))
                   .contains("130"));
}

TEST(Litmus, ExchangesMayFailOnAnOlderValue) {
  const Outcomes failed = outcomes(memory()
                                       .add([](Memory& m) {
                                         m.x.store(1, kRelaxed);
                                         m.y.store(1, kRelaxed);
                                       })
                                       .add([](Memory& m) {
                                         m.a = m.y.load(kRelaxed);
                                         m.b = 1;
                                         m.x.compare_exchange_strong(m.b, 7, kBoth, kRelaxed);
                                       })
                                       .observe([](Memory& m) {
                                         return numbers({m.a, m.b, m.x.load()});
                                       }));
  EXPECT_TRUE(failed.contains("101"));  // y is new, and the exchange still saw x as 0
  EXPECT_TRUE(failed.contains("117"));
}

}  // namespace
}  // namespace linchpin::litmus_test
