/* transport.c - whether what signs people in can be read on its way to them, and settings. */
#include "signin.h"
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

/* Not stet_setting: in a service, that would read the settings of the calling module. */
const json_t *
transport_setting(struct stet_call *call, const char *name)
{
	json_t *all = NULL;

	if (stet_settings_get(call, "signin", &all) != STET_OK)
		stet_error_clear(call);
	return json_object_get(all, name);
}

bool
transport_is_secure(struct stet_call *call)
{
	return strncasecmp(stet_base_url(call), "https://", 8) == 0;
}

bool
transport_is_loopback(const char *host)
{
	static const char *const names[] = { "localhost", "127.", "[::1]" };
	size_t len = strcspn(host, ":/");

	if (strncasecmp(host, names[0], 9) == 0 && (len == 9))
		return true;
	if (len > 10 && strncasecmp(host + len - 10, ".localhost", 10) == 0)
		return true;
	/* An IP address, not a name that begins like one (127.0.0.1.example.org). */
	if (strncmp(host, names[1], 4) == 0 && strspn(host, "0123456789.") == len)
		return true;
	return strncmp(host, names[2], 5) == 0;
}

/* RFC 1918, RFC 3927. */
static bool
is_local_4(const unsigned char ip[4])
{
	static const struct {
		unsigned char ip[2], mask[2];
	} nets[] = { { { 10, 0 }, { 255, 0 } }, { { 172, 16 }, { 255, 240 } },
		{ { 192, 168 }, { 255, 255 } }, { { 169, 254 }, { 255, 255 } } };

	for (size_t i = 0; i < sizeof(nets) / sizeof(nets[0]); i++)
		if ((ip[0] & nets[i].mask[0]) == nets[i].ip[0] &&
		    (ip[1] & nets[i].mask[1]) == nets[i].ip[1])
			return true;
	return false;
}

/* Names that only local networks know: nas, nas.local (RFC 6762), nas.home.arpa (RFC 8375),
 * nas.internal, nas.lan. */
static bool
is_local_name(const char *name)
{
	static const char *const ends[] = { ".local", ".home.arpa", ".internal", ".lan" };
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (len > strlen(ends[i]) && strcasecmp(name + len - strlen(ends[i]), ends[i]) == 0)
			return true;
	return strpbrk(name, ".:") == NULL && strspn(name, "0123456789") != len;
}

/* Returns true if only machines of the same network reach the host. */
static bool
is_local(const char *host)
{
	const bool bracket = *host == '[';
	const size_t len = strcspn(host + bracket, bracket ? "]" : ":/");
	char name[256];
	unsigned char ip[16];

	if (len == 0 || len >= sizeof(name))
		return false;
	memcpy(name, host + bracket, len);
	name[len] = '\0';
	if (inet_pton(AF_INET6, name, ip) == 1) /* RFC 4193, RFC 4291 */
		return (ip[0] & 0xfe) == 0xfc || (ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80);
	return inet_pton(AF_INET, name, ip) == 1 ? is_local_4(ip) : is_local_name(name);
}

bool
transport_is_safe(struct stet_call *call)
{
	const char *base = stet_base_url(call), *scheme = strstr(base, "://");

	return transport_is_secure(call) || scheme == NULL || transport_is_loopback(scheme + 3) ||
	       (json_is_true(transport_setting(call, HTTP_IN_LAN)) && is_local(scheme + 3));
}

enum stet_status
transport_check(struct stet_call *call)
{
	if (transport_is_safe(call))
		return STET_OK;
	return stet_fail(call, STET_FORBIDDEN, NULL,
	    "Nobody can sign in at %s, since others can read what is sent by http: set up https, and"
	    " name it in base-url of stet.conf, or in a network that you trust set " HTTP_IN_LAN
	    " (stet.conf(5), LIFETIMES)",
	    stet_base_url(call));
}
