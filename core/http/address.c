/* address.c - reads, compares and prints network addresses. */
#include "http/address.h"

#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the prefix of an IPv4 address in IPv6 form */
static const unsigned char mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static bool
is_v4(const struct address *a)
{
	return memcmp(a->ip, mapped, sizeof(mapped)) == 0;
}

bool
address_parse(const char *text, struct address *out)
{
	memcpy(out->ip, mapped, sizeof(mapped));
	if (inet_pton(AF_INET, text, out->ip + 12) == 1)
		return true;
	return inet_pton(AF_INET6, text, out->ip) == 1;
}

bool
address_from(const struct sockaddr *sa, struct address *out)
{
	if (sa->sa_family == AF_INET) {
		struct sockaddr_in in;

		memcpy(&in, sa, sizeof(in));
		memcpy(out->ip, mapped, sizeof(mapped));
		memcpy(out->ip + 12, &in.sin_addr, 4);
		return true;
	}
	if (sa->sa_family == AF_INET6) {
		struct sockaddr_in6 in6;

		memcpy(&in6, sa, sizeof(in6));
		memcpy(out->ip, &in6.sin6_addr, 16);
		return true;
	}
	return false;
}

void
address_text(const struct address *a, char out[ADDRESS_TEXT_SIZE])
{
	const char *text = is_v4(a) ? inet_ntop(AF_INET, a->ip + 12, out, ADDRESS_TEXT_SIZE)
				    : inet_ntop(AF_INET6, a->ip, out, ADDRESS_TEXT_SIZE);

	if (text == NULL)
		out[0] = '\0';
}

void
address_client_key(const struct address *a, struct address *key)
{
	*key = *a;
	if (!is_v4(a))
		memset(key->ip + 8, 0, 8);
}

bool
address_is_local(const struct address *a)
{
	static const struct address one = { { [15] = 1 } };

	return is_v4(a) ? a->ip[12] == 127 : memcmp(a, &one, sizeof(one)) == 0;
}

bool
address_block_parse(const char *text, struct address_block *out)
{
	char ip[ADDRESS_TEXT_SIZE];
	const char *slash = strchr(text, '/');
	size_t len = slash == NULL ? strlen(text) : (size_t)(slash - text);
	int most;
	long bits;
	char *end;

	if (len >= sizeof(ip))
		return false;
	memcpy(ip, text, len);
	ip[len] = '\0';
	if (!address_parse(ip, &out->base))
		return false;
	/* The notation decides how the prefix length counts: "::ffff:0:0/96" has 96 of 128 bits,
	 * while "10.0.0.0/8" has 8 of 32. */
	most = strchr(ip, ':') == NULL ? 32 : 128;
	bits = most;
	if (slash != NULL) {
		if (!isdigit((unsigned char)slash[1]))
			return false;
		bits = strtol(slash + 1, &end, 10);
		if (*end != '\0' || bits > most)
			return false;
	}
	out->bits = (int)bits + (most == 32 ? 96 : 0);
	return true;
}

static bool
block_has(const struct address_block *b, const struct address *a)
{
	size_t whole = (size_t)b->bits / 8;
	unsigned rest = (unsigned)b->bits % 8;

	if (memcmp(b->base.ip, a->ip, whole) != 0)
		return false;
	return rest == 0 || (b->base.ip[whole] ^ a->ip[whole]) >> (8 - rest) == 0;
}

bool
address_in(const struct address *a, const struct address_block *blocks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (block_has(&blocks[i], a))
			return true;
	return false;
}

/* Copies the address of "ip:port" or "[ip]:port" into ip and sets *port, which is NULL if there
 * is no port. Returns false if the address is empty or too long. */
static bool
split_port(const char *text, size_t len, char ip[ADDRESS_TEXT_SIZE], const char **port)
{
	const char *end = text + len, *from = text, *to = end;

	*port = NULL;
	if (len > 0 && *text == '[') {
		from = text + 1;
		to = memchr(text, ']', len);
		if (to == NULL || (to + 1 < end && to[1] != ':'))
			return false;
		if (to + 1 < end)
			*port = to + 2;
	} else {
		const char *colon = memchr(text, ':', len);

		/* Two colons without brackets: an IPv6 address without a port. */
		if (colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon - 1)) == NULL) {
			to = colon;
			*port = colon + 1;
		}
	}
	if (to - from <= 0 || to - from >= ADDRESS_TEXT_SIZE)
		return false;
	memcpy(ip, from, (size_t)(to - from));
	ip[to - from] = '\0';
	return true;
}

bool
address_listen(const char *text, struct sockaddr_storage *out, socklen_t *len)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	char ip[ADDRESS_TEXT_SIZE];
	const char *port;
	char *end;
	long number;

	if (!split_port(text, strlen(text), ip, &port) || port == NULL ||
	    !isdigit((unsigned char)*port))
		return false;
	number = strtol(port, &end, 10);
	if (*end != '\0' || number > 65535)
		return false;
	memset(out, 0, sizeof(*out));
	if (*text != '[') {
		in.sin_port = htons((uint16_t)number);
		*len = sizeof(in);
		if (inet_pton(AF_INET, ip, &in.sin_addr) != 1)
			return false;
		memcpy(out, &in, sizeof(in));
		return true;
	}
	in6.sin6_port = htons((uint16_t)number);
	*len = sizeof(in6);
	if (inet_pton(AF_INET6, ip, &in6.sin6_addr) != 1)
		return false;
	memcpy(out, &in6, sizeof(in6));
	return true;
}

void
address_url(const char *scheme, const struct sockaddr *sa, char *out, size_t size)
{
	char ip[ADDRESS_TEXT_SIZE] = "";
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (sa->sa_family == AF_INET) {
		memcpy(&in, sa, sizeof(in));
		(void)inet_ntop(AF_INET, &in.sin_addr, ip, sizeof(ip));
		(void)snprintf(out, size, "%s://%s:%u", scheme, ip, ntohs(in.sin_port));
	} else {
		memcpy(&in6, sa, sizeof(in6));
		(void)inet_ntop(AF_INET6, &in6.sin6_addr, ip, sizeof(ip));
		(void)snprintf(out, size, "%s://[%s]:%u", scheme, ip, ntohs(in6.sin6_port));
	}
}

/* Reads one hop of X-Forwarded-For, which some proxies write with a port. Returns false if it is
 * not an address. */
static bool
hop(const char *from, const char *to, struct address *out)
{
	char ip[ADDRESS_TEXT_SIZE];
	const char *port;

	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (from < to && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	return from < to && split_port(from, (size_t)(to - from), ip, &port) &&
	       address_parse(ip, out);
}

/* Walks the hops of one header from the last to the first, since each proxy appends. Sets *client
 * to each hop that was read. Returns false when the search is over. */
static bool
walk(const char *value, const struct address_block *trusted, size_t count, struct address *client)
{
	const char *end = value + strlen(value);

	for (;;) {
		const char *from = end;
		struct address a;

		while (from > value && from[-1] != ',')
			from--;
		if (!hop(from, end, &a))
			return false;
		*client = a;
		if (!address_in(&a, trusted, count))
			return false;
		if (from == value)
			return true;
		end = from - 1;
	}
}

void
address_forwarded(const struct http1_head *head, const struct address *peer,
    const struct address_block *trusted, size_t count, struct address *client)
{
	*client = *peer;
	if (!address_in(peer, trusted, count))
		return;
	for (size_t i = head->header_count; i-- > 0;)
		if (strcmp(head->header[i].name, "x-forwarded-for") == 0 &&
		    !walk(head->header[i].value, trusted, count, client))
			return;
}
