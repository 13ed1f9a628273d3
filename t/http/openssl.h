/* openssl.h - the command openssl, for tests: certificates, clients and servers with TLS. */
#ifndef T_HTTP_OPENSSL_H
#define T_HTTP_OPENSSL_H

#include <sys/types.h>

/* A certificate for these names ("DNS:a.example.org,IP:127.0.0.1") as NAME.pem and NAME.key in a
 * directory, of an authority that is made with the first one: ca.pem. */
void openssl_certificate(const char *dir, const char *name, const char *names);
/* Run it in a directory, with `in` as its standard input; NULL: an empty one. All that it printed,
 * to be freed. */
char *openssl_words(const char *dir, const char *in, const char *const *words);
#define OPENSSL(dir, in, ...) openssl_words(dir, in, (const char *const[]){ __VA_ARGS__, NULL })
/* A client of 127.0.0.1:port that trusts `dir`'s authority: what is written to *fd goes over TLS.
 */
pid_t openssl_client(const char *dir, int port, int *fd);
/* A server of loopback with a certificate, which answers any request with a page. */
pid_t openssl_server(const char *dir, const char *name, int *port);
/* The same, with answers that lie in files of the directory, heads included. It writes a line to
 * *out for each request, and stops when nobody reads there. */
pid_t openssl_files(const char *dir, const char *name, int *out, int *port);
/* Remove a directory of certificates, and all that lies in it. */
void openssl_forget(const char *dir);
/* End one of these. */
void openssl_end(pid_t);

#endif
