#include "evidence/credentials.hpp"

#include "support/catch.hpp"

using telltale::evidence::mask_credentials;

TEST_CASE("user and password of a URL, and the values of parameters that say they are secret") {
  CHECK(mask_credentials("GET https://a:b@h.example/?api_key=1234&q=2 over HTTP/2") ==
        "GET https://[masked]@h.example/?api_key=[masked]&q=2 over HTTP/2");
  CHECK(mask_credentials("https://h/x?q=1&Access-Token=abc#end") ==
        "https://h/x?q=1&Access-Token=[masked]#end");
  CHECK(mask_credentials("https://h/?X-Amz-Signature=00ff&id=7") ==
        "https://h/?X-Amz-Signature=[masked]&id=7");
}

TEST_CASE("tokens with the prefix of a service, wherever they stand") {
  const std::string many(36, 'a');
  CHECK(mask_credentials("/bot/ghp_" + many + "/send") == "/bot/[masked]/send");
  CHECK(mask_credentials("key AKIA0123456789ABCDEF here") == "key [masked] here");
  CHECK(mask_credentials("eyJ" + many + "." + many + "." + many) == "[masked]");
}

TEST_CASE("what is none stays") {
  for (const std::string text :
       {"", "GET https://telemetry.example/beacon?id=7", "TLS hello, SNI a.example, ALPN h2",
        "https://h/?q=a@b", "https://h/@user", "npm_config", "sk-short", "?=", "a=b",
        "token=", "://", "keyboard=1", "https://h/?monkey=banana"})
    CHECK(mask_credentials(text) == text);
}
