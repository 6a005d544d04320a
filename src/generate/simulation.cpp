// See simulation.hpp.
#include "generate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/data_type.hpp"

namespace linchpin::generate {

namespace {

Error bad_option(std::string message, std::string hint = {}) {
  return Error{.code = ErrorCode::bad_option, .message = std::move(message), .hint = std::move(hint)};
}

/// Named as the command's option, which is where they come from.
Result<void> check_share(std::string_view option, double share) {
  if (share >= 0 && share <= 1) return {};
  return bad_option(fmt::format("{} is a share from 0 to 1, not {}", option, share));
}

Result<void> check_numbers(const Plan& plan) {
  if (plan.processes == 0 || plan.processes > 1'000'000) return bad_option("there must be 1 to 1000000 processes");
  if (plan.objects == 0 || plan.objects > 1'000'000) return bad_option("there must be 1 to 1000000 objects");
  if (plan.keys == 0) return bad_option("there must be at least one key");
  if (plan.operations >= kPending / 4) return bad_option("there are too many operations for the clock");
  if (plan.in_flight && !(*plan.in_flight > 0 && *plan.in_flight <= plan.processes)) {
    return bad_option("the mean number of operations in flight must be above 0 and at most the number of processes");
  }
  for (const auto& [option, share] : {std::pair{"--unknown", plan.unknown}, std::pair{"--ties", plan.ties},
                                      std::pair{"--peeks", plan.peeks.value_or(0)}}) {
    if (auto checked = check_share(option, share); !checked) return checked;
  }
  if (!(plan.pending >= 0) || plan.pending > 1e9) {
    return bad_option(
        fmt::format("--pending is a share below 1, or a number of operations up to 10^9, not {}", plan.pending));
  }
  if (plan.parts && (*plan.parts == 0 || *plan.parts > kMostParts)) {
    return bad_option(fmt::format("transactions have 1 to {} parts", kMostParts));
  }
  if (plan.priorities && (*plan.priorities == 0 || *plan.priorities > 1'000'000'000'000)) {
    return bad_option("the number of priorities is not from 1 to 10^12");
  }
  return {};
}

}  // namespace

Result<Simulation> Simulation::make(const Plan& plan) {
  if (auto checked = check_numbers(plan); !checked) return checked.error();
  const core::DataType* const type = core::find_data_type(plan.type.name);
  if (type == nullptr) {
    return Error{.code = ErrorCode::unknown_type,
                 .message = fmt::format("no data type is called '{}'", plan.type.name),
                 .hint = "linchpin types lists them"};
  }
  const Kind* const kind = find_kind(type->name);
  if (kind == nullptr) {
    std::string names;
    for (const Kind& known : kinds()) names += fmt::format("{}{}", names.empty() ? "" : ", ", known.type);
    return Error{.code = ErrorCode::unsupported,
                 .message = fmt::format("histories of the type {} cannot be generated", type->name),
                 .hint = "types that can: " + names};
  }
  auto specification = type->make(plan.type);
  if (!specification) return specification.error();

  Simulation simulation(plan);
  simulation.plan_.type.name = type->name;
  simulation.specification_ = *specification;
  if (auto set = simulation.set_mix(); !set) return set.error();
  simulation.draw_ = Draw({.values = plan.values.value_or(kind->unique ? 0 : 5),
                           .keys = plan.keys,
                           .scattered = kind->scattered,
                           .expected = 2 * plan.operations + plan.processes},
                          plan.seed);
  for (std::uint32_t i = 0; i < plan.objects; ++i) {
    simulation.models_.push_back(kind->make(*simulation.specification_, plan, *simulation.pool_));
    if (simulation.models_.back() != nullptr) continue;
    return Error{.code = ErrorCode::unsupported,
                 .message = fmt::format("histories of {} cannot be generated", plan.type.to_string()),
                 .hint = "give numbers as initial values, and no partial order"};
  }
  for (std::uint32_t i = 0; i < plan.processes; ++i) {
    simulation.clients_.push_back({.process = simulation.next_process_++});
  }
  simulation.idle_ = plan.processes;
  if (!plan.in_flight) simulation.plan_.in_flight = plan.processes * 2.0 / 3.0;
  const double share = *simulation.plan_.in_flight / plan.processes;
  simulation.calls_first_ = share >= 1;
  simulation.usual_eagerness_ = simulation.calls_first_ ? 1 : share / (2 * (1 - share));
  simulation.eagerness_ = simulation.usual_eagerness_;
  simulation.crashes_left_ = static_cast<std::uint64_t>(
      std::min(std::llround(plan.pending < 1 ? plan.pending * static_cast<double>(plan.operations) : plan.pending),
               static_cast<long long>(plan.operations)));
  return simulation;
}

Result<void> Simulation::set_mix() {
  const Kind& kind = *find_kind(plan_.type.name);
  if (plan_.mix.empty() || plan_.all_methods) mix_.assign(kind.methods.begin(), kind.methods.end());
  if (plan_.all_methods) {
    for (Weighted& row : mix_) row.weight = 1;
  }
  for (const auto& [name, weight] : plan_.mix) {
    const auto method = specification_->find_method(name);
    const auto known = std::find_if(kind.methods.begin(), kind.methods.end(),
                                    [&](const Weighted& row) { return method && row.method == *method; });
    if (known == kind.methods.end()) {
      std::string names;
      for (const Weighted& row : kind.methods) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", specification_->methods()[row.method].name);
      }
      return Error{.code = ErrorCode::unknown_method,
                   .message = fmt::format("the mix names the method '{}', which cannot be generated", name),
                   .hint = "methods that can: " + names};
    }
    if (!(weight >= 0) || weight > 1e12)
      return bad_option(fmt::format("the weight of {} is not a number from 0", name));
    if (plan_.all_methods) {
      mix_[static_cast<std::size_t>(known - kind.methods.begin())].weight = weight;
    } else {
      mix_.push_back({*method, weight, known->observes});
    }
  }
  if (plan_.peeks && kind.reader) {
    double looking = 0, others = 0;
    for (const Weighted& row : mix_) (row.observes ? looking : others) += row.weight;
    if (looking == 0) {
      // Only the usual observer is brought in.
      std::erase_if(mix_, [&](const Weighted& row) { return row.method == *kind.reader; });
      mix_.push_back({*kind.reader, 1, true});
      looking = 1;
    }
    if (others == 0 && *plan_.peeks < 1) return bad_option("the mix has no operation that changes anything");
    for (Weighted& row : mix_) {
      const double share = row.observes ? *plan_.peeks / looking : others > 0 ? (1 - *plan_.peeks) / others : 0;
      row.weight *= share;
    }
  }
  std::erase_if(mix_, [](const Weighted& row) { return row.weight <= 0; });
  for (const Weighted& row : mix_) total_weight_ += row.weight;
  if (mix_.empty()) return bad_option("the mix has no operation with a weight above 0");
  return {};
}

Tick Simulation::tick() {
  // Integral control: the sum of the deviations stays bounded, so that the mean over the ticks is the one asked for.
  const double wanted = *plan_.in_flight;
  const double open = static_cast<double>(clients_.size() - idle_);
  eagerness_ =
      std::clamp(eagerness_ * (1 + 0.005 * (wanted - open) / wanted), usual_eagerness_ / 100, usual_eagerness_ * 100);
  if (clock_ == 0 || plan_.ties == 0 || !draw_.random.chance(plan_.ties)) ++clock_;
  return clock_;
}

std::optional<std::uint16_t> Simulation::choose(const Model& model, ProcessId process) {
  const auto pick = [&](double total, const auto& usable) -> std::optional<std::uint16_t> {
    double at = draw_.random.unit() * total;
    std::optional<std::uint16_t> last;
    for (const Weighted& row : mix_) {
      if (!usable(row.method)) continue;
      last = row.method;
      at -= row.weight;
      if (at < 0) break;
    }
    return last;
  };
  const auto any = [](std::uint16_t) { return true; };
  if (const auto method = pick(total_weight_, any); model.enabled(*method, process)) return method;
  const auto enabled = [&](std::uint16_t method) { return model.enabled(method, process); };
  double total = 0;
  for (const Weighted& row : mix_) total += enabled(row.method) ? row.weight : 0;
  return pick(total, enabled);
}

void Simulation::call(std::size_t at) {
  Client& client = clients_[at];
  client.serial = first_serial_ + slots_.size();
  client.effected = false;
  slots_.push_back({.row = {.process = client.process, .call = tick()}, .stage = Stage::open});
  --idle_;
  std::swap(clients_[at], clients_[idle_]);
}

void Simulation::rest(std::size_t at) {
  std::swap(clients_[at], clients_[idle_]);
  ++idle_;
}

void Simulation::effect(std::size_t at) {
  Client& client = clients_[at];
  Slot& open = slot(client.serial);
  if (effects_ == plan_.operations) {  // enough: this call is taken back
    open.stage = Stage::withdrawn;
    rest(at);
    return;
  }
  const std::size_t object = models_.size() == 1 ? 0 : draw_.random.below(models_.size());
  Model& model = *models_[object];
  const auto method = choose(model, client.process);
  if (!method) {
    ++waits_;
    return;
  }
  waits_ = 0;
  Step step{.method = *method};
  model.prepare(step, draw_);
  const std::uint64_t left = plan_.operations - effects_++;
  const bool crashes = crashes_left_ > 0 && draw_.random.below(left) < crashes_left_;
  const Fate fate = crashes ? model.fate(*method) : Fate::takes_effect;
  if (fate == Fate::takes_effect || (fate == Fate::either && draw_.random.chance(0.5))) {
    model.apply(step, client.process, draw_, *pool_);
  }
  if (plan_.unknown > 0 && !step.result.is_none() && draw_.random.chance(plan_.unknown)) step.result = Value::unknown();
  Row& row = open.row;
  row.object = static_cast<ObjectIndex>(object);
  row.method = step.method;
  row.count = step.count;
  row.arguments = step.arguments;
  row.result = step.result;
  client.effected = true;
  if (crashes) crash(at);
}

void Simulation::crash(std::size_t at) {
  Slot& open = slot(clients_[at].serial);
  open.row.result = Value::unknown();
  open.stage = Stage::done;
  clients_[at].process = next_process_++;
  --crashes_left_;
  rest(at);
}

void Simulation::respond(std::size_t at) {
  Slot& open = slot(clients_[at].serial);
  open.row.response = tick();
  open.stage = Stage::done;
  rest(at);
}

void Simulation::event() {
  const std::size_t open = clients_.size() - idle_;
  const bool calls = effects_ < plan_.operations && idle_ > 0;
  bool call_now = calls;
  // When all that are in flight seem to wait, the one that ends it may be idle: the holder of a lock.
  if (calls && open > 0 && !calls_first_ && waits_ < 4 * open) {
    const double weight = eagerness_ * static_cast<double>(idle_);
    call_now = draw_.random.unit() * (weight + static_cast<double>(open)) < weight;
  }
  if (call_now) {
    call(draw_.random.below(idle_));
    return;
  }
  const std::size_t at = idle_ + draw_.random.below(open);
  if (clients_[at].effected) {
    respond(at);
  } else {
    effect(at);
  }
}

Result<std::optional<Row>> Simulation::next() {
  while (true) {
    while (!slots_.empty() && slots_.front().stage != Stage::open) {
      const Slot front = slots_.front();
      slots_.pop_front();
      ++first_serial_;
      if (front.stage == Stage::done) return std::optional(front.row);
    }
    if (effects_ == plan_.operations && slots_.empty()) return std::optional<Row>();
    // A wait ends when another process moves on, unless all wait: then none ever does.
    if (waits_ > 1000 + 100 * std::uint64_t{plan_.processes}) {
      return bad_option(fmt::format("the mix gets stuck after {} operations: every process waits", effects_),
                        "add the method that ends the waiting (an add, a release), or allow --empties");
    }
    event();
  }
}

}  // namespace linchpin::generate
