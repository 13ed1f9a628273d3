/* openssl.h - the command openssl, for tests: certificates, clients and servers with TLS. */
#ifndef T_HTTP_OPENSSL_H
#define T_HTTP_OPENSSL_H

#include <sys/types.h>

/* Makes a certificate for these names ("DNS:a.example.org,IP:127.0.0.1") as NAME.pem and NAME.key
 * in a directory. It is signed by the authority ca.pem, which is made with the first one. */
void openssl_certificate(const char *dir, const char *name, const char *names);
/* Runs the openssl command in a directory, with `in` as its standard input; NULL: empty. Returns
 * its output, which the caller frees. */
char *openssl_words(const char *dir, const char *in, const char *const *words);
#define OPENSSL(dir, in, ...) openssl_words(dir, in, (const char *const[]){ __VA_ARGS__, NULL })
/* A client of 127.0.0.1:port that trusts the authority of `dir`. Data written to *fd are sent over
 * TLS. */
pid_t openssl_client(const char *dir, int port, int *fd);
/* A server on loopback with a certificate; answers every request with a page. */
pid_t openssl_server(const char *dir, const char *name, int *port);
/* A server whose responses, with their heads, are files of the directory. Writes a line to *out for
 * each request; stops when *out is closed. */
pid_t openssl_files(const char *dir, const char *name, int *out, int *port);
/* Removes a directory of certificates with all its files. */
void openssl_forget(const char *dir);
/* Ends a client or a server. */
void openssl_end(pid_t);

#endif
