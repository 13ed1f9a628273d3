/* look.c - a check of `stet doctor`: does sign-in work at the site's base URL? */
#include "signin.h"
#include <string.h>

/* Returns true if the host of the base URL is an IP address. */
static bool
is_address(const char *host)
{
	size_t len = strcspn(host, ":/");

	return *host == '[' || (len > 0 && strspn(host, "0123456789.") == len);
}

enum stet_status
look_origin(struct stet_call *call)
{
	const char *base = stet_base_url(call), *scheme = strstr(base, "://");

	if (transport_check(call) != STET_OK) {
		stet_error_clear(call);
		stet_finding(call, STET_WARNING,
		    "Set up https (stet.conf(5): tls-listen, or a proxy), and name it in base-url.",
		    "signing in is refused: base-url is %s, and others can read what goes there",
		    base);
	} else if (!transport_is_secure(call) && scheme != NULL &&
		   !transport_is_loopback(scheme + 3)) {
		stet_finding(call, STET_WARNING,
		    "Set up https, and turn " HTTP_IN_LAN " off: see LIFETIMES in stet.conf(5).",
		    "people sign in at %s, where other machines of the network can read their sessions",
		    base);
	} else if (scheme != NULL && is_address(scheme + 3)) {
		/* On this machine this is only a note: localhost works. */
		stet_finding(call, transport_is_loopback(scheme + 3) ? STET_NOTE : STET_WARNING,
		    "Give the site a name, and put it into base-url; localhost is one, too.",
		    "no passkey works at %s: browsers refuse them where the host is an IP address",
		    base);
	} else
		stet_finding(call, STET_FINE, NULL, "people can sign in at %s", base);
	return STET_OK;
}
