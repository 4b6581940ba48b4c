#include "catcher/answers/archive.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "catcher/request_target.hpp"
#include "catcher/wire/base64.hpp"

namespace telltale::catcher {

namespace {

using nlohmann::json;

constexpr const char* kMakeOne =
    "save one as HAR with content, in the network panel of a browser or by a recording proxy";

Result<std::string> archive_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  // Opening a FIFO would wait for its writer.
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    return fail(Fault::input, "the archive " + file.string() + " is no file", kMakeOne);
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (const auto size = std::filesystem::file_size(file, error); !error && size > kArchiveLimit)
    return fail(
        Fault::input,
        fmt::format("{} has {} bytes; an archive may have {}", file.string(), size, kArchiveLimit),
        "keep the requests that the subject needs");
  if (!error && in) text.assign(std::istreambuf_iterator<char>(in), {});
  if (error || !in)
    return fail(Fault::input, "the archive " + file.string() + " cannot be read",
                "give the path from the folder of subject.yaml");
  return text;
}

// In lines or in one.
std::string decoded(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  const auto bytes = wire::from_base64(text, wire::kBase64);
  return {bytes.begin(), bytes.end()};
}

// Of HTTP/2 (":status"), and what belongs to a body that was compressed or sent in chunks.
bool describes_sending(const std::string& name) {
  return name.empty() || name.front() == ':' || name == "content-encoding" ||
         name == "Content-Encoding";
}

PlayedAnswer answer_of(const json& response, const std::string& source) {
  PlayedAnswer answer;
  answer.source = source;
  answer.status = response.value("status", 0);
  for (const auto& header : response.value("headers", json::array())) {
    auto name = header.value("name", "");
    auto value = header.value("value", "");
    if (!describes_sending(name) && value.find_first_of("\r\n") == value.npos)
      answer.headers.emplace_back(std::move(name), std::move(value));
  }
  const auto content = response.value("content", json::object());
  answer.body = content.value("text", "");
  if (content.value("encoding", "") == "base64") answer.body = decoded(std::move(answer.body));
  return answer;
}

AnswerPlace place_of_request(const json& request) {
  AnswerPlace place;
  const auto url = request.value("url", "");
  place.method = request.value("method", "");
  auto destination = destination_of(place.method, url);
  place.host = std::move(destination.host);
  place.port = destination.port;
  const auto target = path_and_query(url);
  const auto mark = target.find('?');
  place.path = target.substr(0, mark);
  if (mark != target.npos) place.query = target.substr(mark + 1);
  place.exact = true;
  return place;
}

void add_entry(const json& entry, const std::string& source, std::vector<AnswerPlace>& places) {
  auto place = place_of_request(entry.at("request"));
  auto answer = answer_of(entry.at("response"), source);
  if (place.host.empty() || answer.status < 200 || answer.status > 599) return;
  const auto known = std::find_if(places.begin(), places.end(),
                                  [&](const auto& other) { return other.text() == place.text(); });
  auto& kept = known == places.end() ? places.emplace_back(std::move(place)) : *known;
  kept.answers.push_back(std::move(answer));
}

}  // namespace

Result<std::vector<AnswerPlace>> read_archive(const std::filesystem::path& file) {
  const auto text = archive_text(file);
  if (!text) return pass_on(text.error());
  std::vector<AnswerPlace> places;
  try {
    const auto archive = json::parse(*text);
    for (const auto& entry : archive.at("log").at("entries"))
      add_entry(entry, file.filename().string(), places);
  } catch (const json::exception& error) {
    return fail(Fault::input, fmt::format("{} is no HTTP archive: {}", file.string(), error.what()),
                kMakeOne);
  }
  if (places.empty())
    return fail(Fault::input, fmt::format("{} holds no answer to play", file.string()), kMakeOne);
  return places;
}

}  // namespace telltale::catcher
