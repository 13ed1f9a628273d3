/* confhost.c - names and addresses of hosts in stet.conf. */
#include "conf/confhost.h"
#include "http/address.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool
confhost_good(const char *text)
{
	struct address a;
	size_t len = strlen(text);

	if (strcmp(text, "*") == 0)
		return true;
	if (*text == '[') {
		char ip[ADDRESS_TEXT_SIZE];

		if (len < 4 || len - 2 >= sizeof(ip) || text[len - 1] != ']')
			return false;
		memcpy(ip, text + 1, len - 2);
		ip[len - 2] = '\0';
		return strchr(ip, ':') != NULL && address_parse(ip, &a);
	}
	if (len == 0 || len > 253 || *text == '.' || text[len - 1] == '.')
		return false;
	for (const char *s = text; *s != '\0'; s++)
		if (!isalnum((unsigned char)*s) && strchr("-._", *s) == NULL)
			return false;
	return strstr(text, "..") == NULL;
}

bool
confhost_authority(const char *text, size_t len)
{
	char host[260];
	char *port;

	if (len == 0 || len >= sizeof(host) || *text == '*')
		return false;
	memcpy(host, text, len);
	host[len] = '\0';
	port = strrchr(host, ':');
	if (port != NULL && strchr(port, ']') == NULL) {
		*port++ = '\0';
		if (strspn(port, "0123456789") != strlen(port) || *port == '\0' ||
		    strlen(port) > 5 || strtol(port, NULL, 10) > 65535)
			return false;
	}
	return confhost_good(host);
}
