// A specification whose operations stand in the order of their sessions, whatever their times.
//
// The operations of one process are a session. If all operations overlap, so that real time says nothing, what is left
// to keep is this order; a state then holds of each session which operation was its last. It is legal to leave
// operations out, as with any history, but not to go back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/specification.hpp"
#include "types/flat_map.hpp"

namespace linchpin::types {

/// By operation of a history in which each is a process of its own, numbered as the operation.
struct Sessions {
  struct Place {
    std::uint32_t session = 0;
    std::uint32_t number = 0;  ///< ascending in its session, from 1 on
  };
  std::vector<Place> places;

  [[nodiscard]] Place of(const Operation& operation) const { return places[operation.process]; }
};

/// `S` is deterministic and does not look at processes.
template <class S>
struct InSessions {
  struct State {
    typename S::State content;
    FlatMap<std::uint32_t> last;  ///< by session: the number of its last operation; none yet: not there

    bool operator==(const State&) const = default;
    [[nodiscard]] std::uint64_t hash() const { return mix(hash_of(content), hash_of(last)); }
  };
  static constexpr auto methods = S::methods;
  static constexpr bool uses_process = true;
  static constexpr bool reads_partial_results = S::reads_partial_results;

  S inner;
  std::shared_ptr<const Sessions> sessions;

  [[nodiscard]] State initial() const { return {.content = inner.initial(), .last = {}}; }

  bool step(State& state, const Operation& operation) const {
    const auto [session, number] = sessions->of(operation);
    const std::uint32_t* const last = state.last.find(Value::integer(session));
    if (last != nullptr && *last >= number) return false;
    if (!inner.step(state.content, operation)) return false;
    state.last.assign(Value::integer(session), number);
    return true;
  }

  [[nodiscard]] std::unique_ptr<Replay> make_replay() const {
    class Execution final : public Replay {
     public:
      explicit Execution(const InSessions& executed)
          : sessions_(executed.sessions), content_(executed.inner.make_replay()) {}
      bool step(const Operation& operation) override {
        const auto [session, number] = sessions_->of(operation);
        if (session >= last_.size()) last_.resize(session + 1, 0);
        if (last_[session] >= number) return false;
        last_[session] = number;
        return content_->step(operation);
      }
      void end_when(std::function<bool()> ended) override { content_->end_when(std::move(ended)); }

     private:
      std::shared_ptr<const Sessions> sessions_;
      std::unique_ptr<Replay> content_;
      std::vector<std::uint32_t> last_;  // by session
    };
    return std::make_unique<Execution>(*this);
  }

  [[nodiscard]] std::string invalid(const Operation& operation) const { return inner.invalid(operation); }
  static std::string describe(const State& state, const ValuePool& pool) { return S::describe(state.content, pool); }
  static std::size_t bytes(const State& state) { return S::bytes(state.content) + state.last.bytes(); }
};

/// The specification as an `S`, in sessions or not; null: it is of another type.
template <class S>
[[nodiscard]] const S* without_sessions(const Specification& specification) {
  const auto* const in_sessions = specification.get_if<InSessions<S>>();
  return in_sessions != nullptr ? &in_sessions->inner : specification.get_if<S>();
}

/// Of an `S` in sessions; null where it is not.
template <class S>
[[nodiscard]] const Sessions* sessions_of(const Specification& specification) {
  const auto* const in_sessions = specification.get_if<InSessions<S>>();
  return in_sessions != nullptr ? in_sessions->sessions.get() : nullptr;
}

}  // namespace linchpin::types
