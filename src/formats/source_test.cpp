// Loading inputs: plain, empty, compressed, damaged; and the choice of a format.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/reading_limits.hpp"
#include "formats/reading_test.hpp"
#include "formats/source.hpp"
#include "support/paths.hpp"

namespace linchpin {
namespace {

using formats::Input;

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// A file that removes itself.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("linchpin_source_test_" + std::to_string(getpid()) + "_" + std::to_string(++count_))) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

std::string decoded(const std::string& content) {
  const TemporaryFile file(content);
  const auto input = Input::load(file.path());
  EXPECT_TRUE(input) << input.error().to_string();
  return input ? std::string(input->source().bytes) : std::string();
}

Error loading_error(const std::string& content) {
  const TemporaryFile file(content);
  const auto input = Input::load(file.path());
  EXPECT_FALSE(input);
  return input ? Error{} : input.error();
}

std::string long_text() {
  std::string text;
  for (std::uint64_t i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 1'000'003) + "\n";
  return text;
}

TEST(Source, LoadsPlainFiles) {
  EXPECT_EQ(decoded("abc\n"), "abc\n");
  EXPECT_EQ(decoded(""), "");
  const std::string page(4096, 'x');
  EXPECT_EQ(decoded(page), page);
}

TEST(Source, PromisesReadableBytesAfterTheEnd) {
  const TemporaryFile file(std::string(8192, 'x'));
  const auto input = Input::load(file.path());
  ASSERT_TRUE(input);
  const core::Source source = input->source();
  ASSERT_GE(source.padding, 64U);
  const volatile char* const end = source.bytes.data() + source.bytes.size();
  unsigned sum = 0;
  for (std::size_t i = 0; i < source.padding; ++i) sum += static_cast<unsigned char>(end[i]);
  EXPECT_EQ(sum, 0U);
}

TEST(Source, DecodesGzipAndZstdByTheirMagicBytes) {
  const std::string text = long_text();
  EXPECT_EQ(decoded(gzip(text)), text);
  EXPECT_EQ(decoded(zstd(text)), text);
  EXPECT_EQ(decoded(gzip("")), "");
  EXPECT_EQ(decoded(zstd("")), "");
}

TEST(Source, DecodesSeveralMembersAndFrames) {
  EXPECT_EQ(decoded(gzip("one\n") + gzip("two\n") + std::string(512, '\0')), "one\ntwo\n");
  EXPECT_EQ(decoded(zstd("one\n") + zstd("two\n")), "one\ntwo\n");
}

/// A frame that decoders pass over.
std::string skippable(const std::string& content, char nibble = 0) {
  std::string frame = {static_cast<char>(0x50 + nibble), '\x2a', '\x4d', '\x18'};
  for (unsigned shift = 0; shift < 32; shift += 8) frame += static_cast<char>(content.size() >> shift & 0xffU);
  return frame + content;
}

TEST(Source, DecodesZstdWithSkippableFramesAnywhere) {
  const std::string text = long_text();
  EXPECT_EQ(decoded(skippable("index") + zstd(text)), text);
  EXPECT_EQ(decoded(skippable("") + skippable("two", 15) + zstd("one\n") + skippable("three", 7) + zstd("two\n")),
            "one\ntwo\n");
  EXPECT_EQ(decoded(zstd("one\n") + skippable("end")), "one\n");
  EXPECT_EQ(decoded(skippable("alone")), "");
  const std::string other = skippable("of another format") + "\x04\x22\x4d\x18";
  EXPECT_EQ(decoded(other), other) << "lz4 is not decoded";
}

TEST(Source, SaysAtWhichByteAStreamEnds) {
  const std::string frame = skippable("index");
  const std::string whole = frame + zstd("one\n") + zstd(long_text());
  for (const std::size_t length : {std::size_t{6}, frame.size() - 1, frame.size() + 2, frame.size() + 9,
                                   frame.size() + zstd("one\n").size() + 3, whole.size() - 1}) {
    const Error error = loading_error(whole.substr(0, length));
    EXPECT_EQ(error.code, ErrorCode::compression) << length << ": " << error.to_string();
    EXPECT_NE(error.message.find("at byte " + std::to_string(length)), std::string::npos) << error.to_string();
  }
  for (const std::string& damaged : {gzip("one\n") + gzip("two\n").substr(0, 7), gzip(long_text()).substr(0, 5000)}) {
    const Error error = loading_error(damaged);
    EXPECT_EQ(error.code, ErrorCode::compression);
    EXPECT_NE(error.message.find("at byte " + std::to_string(damaged.size())), std::string::npos) << error.to_string();
  }
}

TEST(Source, DecompressesNoMoreThanTheLimitAllows) {
  const std::string text(96U << 20, 'x');
  for (const std::string& bomb : {gzip(text), zstd(text)}) {
    EXPECT_LT(bomb.size(), 100'000U);
    const TemporaryFile file(bomb);
    Limits limits;
    limits.memory = core::own_resident_bytes() + (16U << 20);
    const auto input = Input::load(file.path(), limits);
    ASSERT_FALSE(input);
    EXPECT_EQ(input.error().code, ErrorCode::too_large);
    EXPECT_EQ(input.error().source, file.path());
    EXPECT_NE(input.error().hint.find("--memory-limit"), std::string::npos);
    EXPECT_NE(input.error().message.find("of the compressed input"), std::string::npos);
    limits.memory = core::own_resident_bytes() + (512U << 20);
    EXPECT_TRUE(Input::load(file.path(), limits));
    ReadOptions options;
    options.limits.memory = core::own_resident_bytes() + (16U << 20);
    const auto read = read_histories(file.path(), options);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::too_large);
  }
}

TEST(Source, RefusesTruncatedStreams) {
  const std::string text = long_text();
  for (const std::string& whole : {gzip(text), zstd(text)}) {
    for (const std::size_t length : {whole.size() - 1, whole.size() / 2, std::size_t{5}}) {
      const Error error = loading_error(whole.substr(0, length));
      EXPECT_EQ(error.code, ErrorCode::compression) << error.to_string();
      EXPECT_FALSE(error.hint.empty());
      EXPECT_FALSE(error.source.empty());
    }
  }
}

TEST(Source, RefusesDamagedStreamsAndBytesAfterThem) {
  const std::string text = long_text();
  for (std::string whole : {gzip(text), zstd(text)}) {
    EXPECT_EQ(loading_error(whole + "garbage").code, ErrorCode::compression);
    for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 40; ++i)
      whole[i] = static_cast<char>(whole[i] ^ 0x55);
    // A zstd frame without a checksum may decode to other bytes: what matters is that nothing crashes.
    const TemporaryFile file(whole);
    const auto input = Input::load(file.path());
    if (!input) {
      EXPECT_EQ(input.error().code, ErrorCode::compression);
    }
  }
}

TEST(Source, SaysWhyAFileCannotBeRead) {
  const auto absent = Input::load("/nowhere/at/all.log");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::io);
  EXPECT_EQ(absent.error().source, "/nowhere/at/all.log");
  const auto directory = Input::load(std::filesystem::temp_directory_path().string());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::io);
}

TEST(Source, ReadsPipes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "through a pipe\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);
  const auto input = Input::load("/proc/self/fd/" + std::to_string(ends[0]));
  close(ends[0]);
  ASSERT_TRUE(input) << input.error().to_string();
  EXPECT_EQ(input->source().bytes, text);
}

TEST(Reading, SaysThatTheContentIsUnknownAndWhereTheFormatsAreListed) {
  const TemporaryFile file("hello, world\n");
  const auto histories = read_histories(file.path(), {});
  ASSERT_FALSE(histories);
  EXPECT_EQ(histories.error().code, ErrorCode::unknown_format);
  EXPECT_NE(histories.error().hint.find("linchpin formats"), std::string::npos);
}

TEST(Reading, RefusesAnUnknownFormatNameAndAnEmptyInput) {
  const TemporaryFile empty("");
  ReadOptions options;
  EXPECT_EQ(read_histories(empty.path(), options).error().code, ErrorCode::truncated);
  options.format = "no-such-format";
  EXPECT_EQ(read_histories(empty.path(), options).error().code, ErrorCode::unknown_format);
}

TEST(Reading, ReadsACompressedHistoryThroughTheFacade) {
  const TemporaryFile file(gzip("# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n"));
  const auto histories = read_histories(file.path(), {});
  ASSERT_TRUE(histories);
  ASSERT_EQ(histories->size(), 1U);
  ASSERT_TRUE((*histories)[0]);
  EXPECT_EQ((*histories)[0]->describe(0), "enqueue(1)");
  EXPECT_EQ((*histories)[0]->source(), file.path());
}

TEST(Reading, EveryExampleIsRecognisedByItsContentAndRead) {
  for (const FormatSummary& format : list_formats()) {
    std::string folder(format.name);
    std::replace(folder.begin(), folder.end(), '-', '_');
    const auto examples = test::source_folder() / "src/formats" / folder / "examples";
    if (!std::filesystem::exists(examples)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(examples)) {
      SCOPED_TRACE(entry.path());
      const auto input = Input::load(entry.path().string());
      ASSERT_TRUE(input);
      EXPECT_EQ(formats::testing::detected(input->source().bytes), format.name);
      for (const core::Format& other : core::formats()) {
        // The wrong reader must not crash on it either.
        formats::testing::read(other.name, std::string(input->source().bytes));
      }
    }
  }
}

TEST(Reading, EveryFormatIsListedOnceAndRefusesAnEmptyInput) {
  for (const FormatSummary& format : list_formats()) {
    SCOPED_TRACE(format.name);
    ASSERT_NE(core::find_format(format.name), nullptr);
    EXPECT_EQ(core::find_format(format.name)->name, format.name);
    EXPECT_FALSE(format.summary.empty());
    const auto histories = formats::testing::read(format.name, "");
    ASSERT_EQ(histories.size(), 1U);
    EXPECT_FALSE(histories[0]);
  }
}

}  // namespace
}  // namespace linchpin
