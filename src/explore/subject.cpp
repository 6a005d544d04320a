#include "explore/subject.hpp"

#include <cstring>
#include <exception>
#include <new>

namespace linchpin::explorer {

namespace {

/// Runs code under test, which may throw. The exception is over before the schedule is given up.
template <class Function>
void guarded(bool counts, Function function) {
  char text[Finding::kText] = {};
  try {
    active = counts;
    function();
    active = false;
    return;
  } catch (const std::exception& exception) {
    active = false;
    std::strncpy(text, exception.what(), sizeof text - 1);
  } catch (...) {
    active = false;
    std::strncpy(text, "something that is no std::exception", sizeof text - 1);
  }
  engine.fail(ExploreFinding::exception, nullptr, text);
}

}  // namespace

Program Subject::program() {
  return {.threads = threads(),
          .context = this,
          .set_up = [](void* self) { static_cast<Subject*>(self)->set_up(); },
          .body = [](void* self, unsigned thread) { static_cast<Subject*>(self)->body(thread); },
          .tear_down = [](void* self) { static_cast<Subject*>(self)->tear_down(); }};
}

ContainerSubject::ContainerSubject(explore_plan::Plan plan) : plan_(std::move(plan)) {
  for (const explore_plan::Action& action : plan_.actions) {
    first_methods_.push_back(static_cast<unsigned>(methods_.size()));
    methods_.insert(methods_.end(), action.methods.begin(), action.methods.end());
    vocabulary_.words.push_back(
        {.name = action.methods[0], .adds = action.adds, .used = action.weight > 0, .wanted = {}});
  }
}

void ContainerSubject::call(const Call& call) {
  explore_plan::Turn turn(first_methods_[call.action], call.numbers);
  plan_.actions[call.action].run(owner().get(), turn);
  vocabulary_.words[call.action].wanted = turn.wanted();
}

void ContainerSubject::set_up() {
  guarded(false, [&] {
    new (owner_) Owner(plan_.make());
    for (const Call& prefix : scenario_.prefix) call(prefix);
  });
}

void ContainerSubject::body(unsigned thread) {
  guarded(true, [&] {
    for (const Call& own : scenario_.threads[thread]) call(own);
  });
}

void ContainerSubject::tear_down() {
  guarded(false, [&] { owner().~Owner(); });
}

void ThreadsSubject::set_up() {
  guarded(false, [&] { new (owner_) Owner(program_.make()); });
}

void ThreadsSubject::body(unsigned thread) {
  guarded(true, [&] { program_.threads[thread](owner().get()); });
}

void ThreadsSubject::tear_down() {
  guarded(false, [&] {
    if (program_.after) program_.after(owner().get());
    outcome_[0] = 0;
    if (program_.observe) {
      const std::string outcome = program_.observe(owner().get());
      std::strncpy(outcome_, outcome.c_str(), sizeof outcome_ - 1);
    }
    owner().~Owner();
  });
}

}  // namespace linchpin::explorer
