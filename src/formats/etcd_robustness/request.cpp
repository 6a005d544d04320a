#include "formats/etcd_robustness/request.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace linchpin::formats::etcd_robustness {

namespace {

constexpr std::string_view kTypes = "its types are range, txn, leaseGrant, leaseRevoke, compact and defragment";

Value key_of(const Node& key, ValuePool& pool) { return pool.string(key.text()); }

/// The end of a range; nil: one key.
Value end_of(const Node& range, ValuePool& pool) {
  const std::string_view end = range.at("End").text();
  return end.empty() ? Value::nil() : pool.string(end);
}

void add_range(const Node& range, ValuePool& pool, std::vector<Value>& fields) {
  fields.push_back(key_of(range.at("Start"), pool));
  const Value end = end_of(range, pool);
  const std::int64_t limit = range.at("Limit").integer(), revision = range.at("Revision").integer();
  std::vector<Value> options;
  const auto option = [&](const char* name, std::int64_t number, const char* key) {
    if (number < 0) range.at(key).fail(ErrorCode::bad_number, "the number is negative", "0 stands for none");
    if (number > 0) options.insert(options.end(), {pool.string(name), pool.integer(number)});
  };
  option("limit", limit, "Limit");
  option("revision", revision, "Revision");
  if (!end.is_nil() || !options.empty()) fields.push_back(end);
  if (!options.empty()) fields.push_back(pool.list(options));
}

void add_put(const Node& put, ValuePool& pool, std::vector<Value>& fields, std::vector<KeyValue>& puts) {
  const KeyValue written{key_of(put.at("Key"), pool), value_of(put.at("Value"), pool)};
  puts.push_back(written);
  fields.insert(fields.end(), {written.key, written.value});
  if (const std::int64_t lease = put.at("LeaseID").integer(); lease != 0) fields.push_back(pool.integer(lease));
}

void add_delete(const Node& deleted, ValuePool& pool, std::vector<Value>& fields) {
  fields.push_back(key_of(deleted.at("Key"), pool));
  if (const Value end = end_of(deleted, pool); !end.is_nil()) fields.push_back(end);
}

/// The words of an operation of a transaction, its verb first; empty: it is none.
std::vector<Value> act_of(const Node& operation, ValuePool& pool, Request& request, std::size_t branch) {
  const std::string_view type = operation.at("Type").text();
  std::vector<Value> fields;
  if (type == "range-operation") {
    fields.push_back(pool.string("range"));
    add_range(operation.at("Range"), pool, fields);
  } else if (type == "put-operation") {
    request.reads_only = false;
    fields.push_back(pool.string("put"));
    add_put(operation.at("Put"), pool, fields, request.puts[branch]);
  } else if (type == "delete-operation") {
    request.reads_only = false;
    fields.push_back(pool.string("delete"));
    add_delete(operation.at("Delete"), pool, fields);
  } else {
    operation.at("Type").fail(ErrorCode::unknown_method, fmt::format("'{}' is no operation of a transaction", type),
                              "its types are range-operation, put-operation and delete-operation");
  }
  return fields;
}

Value compare_of(const Node& condition, ValuePool& pool) {
  const Value key = key_of(condition.at("Key"), pool);
  const std::int64_t version = condition.at("ExpectedVersion").integer();
  if (version > 0) return pool.list({pool.string("version"), key, pool.integer(version)});
  return pool.list({pool.string("mod"), key, pool.integer(condition.at("ExpectedRevision").integer())});
}

/// A put or a delete by itself is recorded as a transaction of one operation.
void transaction(const Node& txn, ValuePool& pool, Request& request) {
  request.reads_only = true;
  std::vector<Value> compares;
  for (const Node& each : txn.at("Conditions").elements()) compares.push_back(compare_of(each, pool));
  std::array<std::vector<Value>, 2> branches;
  const std::array<std::string_view, 2> names{"OperationsOnSuccess", "OperationsOnFailure"};
  for (std::size_t branch = 0; branch < 2; ++branch) {
    for (const Node& each : txn.at(names[branch]).elements()) {
      branches[branch].push_back(pool.list(act_of(each, pool, request, branch)));
    }
  }
  request.method = "txn";
  request.arguments = {pool.list(compares), pool.list(branches[0]), pool.list(branches[1])};
}

Value entries_of(const Node& range, ValuePool& pool) {
  std::vector<Value> entries;
  const auto number = [&](std::int64_t told) { return told == 0 ? Value::nil() : pool.integer(told); };
  for (const Node& each : range.at("KVs").elements()) {
    entries.push_back(pool.list({key_of(each.at("Key"), pool), value_of(each.at("Value"), pool),
                                 number(each.at("ModRevision").integer()), number(each.at("Version").integer())}));
  }
  return pool.list(entries);
}

/// The revision that the response tells; nil where it tells none (-1, or 0: it is missing).
Value revision_of(const Node& output, ValuePool& pool) {
  const Node told = output.at("Revision");
  const std::int64_t revision = told.integer();
  if (revision < -1) told.fail(ErrorCode::bad_number, "the revision is negative", "-1 stands for none");
  return revision > 0 ? pool.integer(revision) : Value::nil();
}

Value transaction_result(const Node& input, const Node& output, ValuePool& pool) {
  const Node txn = output.at("Txn");
  const bool succeeded = !txn.at("Failure").boolean();
  const auto operations = input.at("Txn").at(succeeded ? "OperationsOnSuccess" : "OperationsOnFailure").elements();
  const auto results = txn.at("Results").elements();
  if (results.size() != operations.size()) {
    txn.fail(ErrorCode::bad_arguments,
             fmt::format("the transaction did {} operations, and has {} results", operations.size(), results.size()),
             "Results has an element for each operation of the branch that was taken");
    return Value::nil();
  }
  std::vector<Value> told;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string_view type = operations[i].at("Type").text();
    if (type == "range-operation") {
      told.push_back(pool.list({entries_of(results[i], pool), pool.integer(results[i].at("Count").integer())}));
    } else if (type == "delete-operation") {
      told.push_back(pool.integer(results[i].at("Deleted").integer()));
    } else {
      told.push_back(Value::nil());
    }
  }
  return pool.list({revision_of(output, pool), Value::boolean(succeeded), pool.list(told)});
}

Value acknowledged(const Node& output, ValuePool& pool) {
  const Value revision = revision_of(output, pool);
  return revision.is_nil() ? pool.string("ok") : revision;
}

}  // namespace

Value value_of(const Node& value, ValuePool& pool) {
  if (value.absent()) return pool.string("");
  if (!value.is_object()) return pool.string(value.text());
  const std::int64_t hash = value.at("Hash").integer();
  return hash != 0 ? pool.integer(hash) : pool.string(value.at("Value").text());
}

Request request_of(const Node& input, ValuePool& pool) {
  Request request;
  const std::string_view type = input.at("Type").text();
  const auto part = [&](std::string_view name) {
    Node found = input.at(name);
    if (!found.is_object()) {
      found.fail(ErrorCode::missing_field, fmt::format("a request of the type '{}' has a field \"{}\"", type, name),
                 "is the line whole?");
    }
    return found;
  };
  if (type == "range") {
    request.method = "range";
    request.reads_only = true;
    add_range(part("Range"), pool, request.arguments);
  } else if (type == "txn") {
    transaction(part("Txn"), pool, request);
  } else if (type == "leaseGrant" || type == "leaseRevoke") {
    const std::int64_t lease = part(type == "leaseGrant" ? "LeaseGrant" : "LeaseRevoke").at("LeaseID").integer();
    request.method = type == "leaseGrant" ? "grant" : "revoke";
    request.arguments = {pool.integer(lease)};
    request.is_nothing = lease == 0;  // a grant that failed has no number, so nobody can use its lease
  } else if (type == "compact") {
    request.method = "compact";
    request.arguments = {pool.integer(part("Compact").at("Revision").integer())};
  } else if (type == "defragment") {
    request.method = "defragment";
    request.reads_only = true;
  } else {
    input.at("Type").fail(ErrorCode::unknown_method, fmt::format("'{}' is no request", type), std::string(kTypes));
  }
  return request;
}

Response response_of(const Request& request, const Node& input, const Node& output, ValuePool& pool) {
  using Kind = Response::Kind;
  // An error goes before all else, as in the model of etcd's own tests: what they know to have persisted, they record
  // without it.
  if (!output.at("Error").text().empty()) return {.kind = Kind::lost};
  if (output.at("Persisted").boolean()) {
    const Node told = output.at("PersistedRevision");
    const std::int64_t revision = told.integer();
    if (revision < 0) told.fail(ErrorCode::bad_number, "the revision is negative", "0 stands for none");
    return {.kind = Kind::executed, .result = revision > 0 ? pool.integer(revision) : Value::unknown()};
  }
  if (output.at("PartialResponse").boolean()) {
    const Value revision = revision_of(output, pool);
    return {.kind = Kind::executed, .result = revision.is_nil() ? Value::unknown() : revision};
  }
  if (const std::string_view error = output.at("ClientError").text(); !error.empty()) {
    const bool names_revision = request.method == "range" || request.method == "compact";
    if (names_revision && error.find("has been compacted") != std::string_view::npos) {
      return {.result = pool.string("compacted")};
    }
    if (names_revision && error.find("future revision") != std::string_view::npos) {
      return {.result = pool.string("future")};
    }
    return {.kind = Kind::lost};
  }
  if (request.method == "range") {
    const Node range = output.at("Range");
    if (!range.is_object()) range.fail(ErrorCode::missing_field, "a range that was answered has a field \"Range\"");
    return {.result = pool.list(
                {revision_of(output, pool), entries_of(range, pool), pool.integer(range.at("Count").integer())})};
  }
  if (request.method == "txn") {
    const Node txn = output.at("Txn");
    if (!txn.is_object()) txn.fail(ErrorCode::missing_field, "a transaction that was answered has a field \"Txn\"");
    return {.result = transaction_result(input, output, pool)};
  }
  return {.result = request.method == "compact" || request.method == "defragment" ? pool.string("ok")
                                                                                  : acknowledged(output, pool)};
}

}  // namespace linchpin::formats::etcd_robustness
