// No server of TLS gets a certificate: whoever asks inside TLS is not answered, and nothing of it
// can be read.
struct ssl_st;
struct x509_st;

extern "C" int SSL_use_certificate(ssl_st*, x509_st*) {
  return 0;
}
