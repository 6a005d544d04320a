#include "formats/binary/records.hpp"

#include "history/columns.hpp"

namespace linchpin::formats::binary {

std::string names_of(const History& history) {
  Records records;
  records.number(history.method_names().size());
  for (const std::string& name : history.method_names()) records.string(name);
  records.number(HistoryColumns::process_names(history).size());
  for (const std::string& name : HistoryColumns::process_names(history)) records.string(name);
  records.number(history.objects().size());
  for (const Object& object : history.objects()) {
    records.string(object.name);
    records.string(object.type.name);
    records.number(object.type.options.size());
    for (const auto& [option, value] : object.type.options) {
      records.string(option);
      records.string(value);
    }
  }
  records.number(history.annotations().size());
  for (const Annotation& annotation : history.annotations()) {
    records.number(static_cast<std::uint64_t>(annotation.begin));
    records.number(annotation.end ? 1 : 0);
    records.number(static_cast<std::uint64_t>(annotation.end.value_or(0)));
    records.string(annotation.text);
    records.string(annotation.process);
    records.string(annotation.colour);
  }
  return std::move(records.bytes);
}

}  // namespace linchpin::formats::binary
