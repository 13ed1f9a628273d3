/* certificate.c - reads a certificate's names and expiry. */
#include "command/certificate.h"
#include "base/words.h"
#include <errno.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

struct certificate *
certificate_read(const char *path, char **why)
{
	FILE *f = fopen(path, "re");
	X509 *x;

	if (f == NULL) {
		*why = words_format("%s: %s", path, strerror(errno));
		return NULL;
	}
	x = PEM_read_X509(f, NULL, NULL, NULL);
	fclose(f);
	if (x == NULL)
		*why = words_format("%s holds no certificate", path);
	return (struct certificate *)(void *)x;
}

static X509 *
of(const struct certificate *c)
{
	return (X509 *)(uintptr_t)c;
}

void
certificate_free(struct certificate *c)
{
	X509_free(of(c));
}

int64_t
certificate_until(const struct certificate *c)
{
	struct tm tm = { 0 };

	if (ASN1_TIME_to_tm(X509_get0_notAfter(of(c)), &tm) != 1)
		return 0;
	return (int64_t)timegm(&tm) * 1000;
}

bool
certificate_for(const struct certificate *c, const char *host)
{
	return X509_check_host(of(c), host, 0, 0, NULL) == 1 ||
	       X509_check_ip_asc(of(c), host, 0) == 1;
}
