#include "evidence/credentials.hpp"

#include <algorithm>
#include <cctype>

namespace telltale::evidence {

namespace {

constexpr std::string_view kMasked = "[masked]";

// Parameters, lower case, without "-" and "_": their value is a secret.
constexpr std::string_view kSecretNames[] = {"accesstoken",
                                             "apikey",
                                             "auth",
                                             "authorization",
                                             "authtoken",
                                             "bearer",
                                             "clientsecret",
                                             "code",
                                             "credential",
                                             "idtoken",
                                             "jwt",
                                             "key",
                                             "passwd",
                                             "password",
                                             "pwd",
                                             "refreshtoken",
                                             "secret",
                                             "session",
                                             "sessionid",
                                             "sig",
                                             "signature",
                                             "token",
                                             "xamzcredential",
                                             "xamzsecuritytoken",
                                             "xamzsignature",
                                             "xgoogcredential",
                                             "xgoogsignature"};

struct TokenShape {
  std::string_view prefix;
  std::size_t rest;  // characters that follow it, at least
};
constexpr TokenShape kTokens[] = {
    {"ghp_", 30},   {"gho_", 30},  {"ghu_", 30},  {"ghs_", 30},     {"ghr_", 30},
    {"glpat-", 18}, {"npm_", 30},  {"pypi-", 30}, {"xoxb-", 10},    {"xoxp-", 10},
    {"xoxa-", 10},  {"xoxs-", 10}, {"sk-", 30},   {"sk_live_", 16}, {"rk_live_", 16},
    {"AKIA", 16},   {"ASIA", 16},  {"AIza", 30},  {"ya29.", 20},    {"github_pat_", 30},
    {"eyJ", 40}};

bool in_token(char character) {
  const auto letter = static_cast<unsigned char>(character);
  return std::isalnum(letter) != 0 || character == '_' || character == '-' || character == '.';
}

bool ends_value(char character) {
  return character == '&' || character == '#' || character == ' ' || character == ';' ||
         character == '"' || character == ',';
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char character : name)
    if (character != '-' && character != '_')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
  return plain;
}

bool is_secret_name(std::string_view name) {
  const auto plain = plain_name(name);
  return std::find(std::begin(kSecretNames), std::end(kSecretNames), plain) !=
         std::end(kSecretNames);
}

// Each of these finds one credential that begins at `at`; its size, or 0.

std::size_t token_at(std::string_view text, std::size_t at) {
  if (at > 0 && in_token(text[at - 1])) return 0;
  std::size_t size = 0;
  while (at + size < text.size() && in_token(text[at + size])) ++size;
  const auto token = text.substr(at, size);
  for (const auto& [prefix, rest] : kTokens)
    if (token.substr(0, prefix.size()) == prefix && token.size() >= prefix.size() + rest)
      return size;
  return 0;
}

// The value after "?name=" or "&name=".
std::size_t value_at(std::string_view text, std::size_t at) {
  if (at < 2 || text[at - 1] != '=') return 0;
  const auto begin = text.substr(0, at - 1).find_last_of("?&; ");
  if (begin == text.npos || text[begin] == ' ') return 0;
  if (!is_secret_name(text.substr(begin + 1, at - begin - 2))) return 0;
  std::size_t size = 0;
  while (at + size < text.size() && !ends_value(text[at + size])) ++size;
  return size;
}

// "user:password" after "://".
std::size_t user_at(std::string_view text, std::size_t at) {
  if (at < 3 || text.substr(at - 3, 3) != "://") return 0;
  const auto end = text.find_first_of("@/?# ", at);
  return end != text.npos && text[end] == '@' ? end - at : 0;
}

}  // namespace

std::string mask_credentials(std::string_view text) {
  std::string masked;
  for (std::size_t at = 0; at < text.size();) {
    const auto size = std::max({token_at(text, at), value_at(text, at), user_at(text, at)});
    if (size == 0) {
      masked += text[at++];
      continue;
    }
    masked += kMasked;
    at += size;
  }
  return masked;
}

}  // namespace telltale::evidence
