/* pghosts.c - reads the servers that a URI names. */
#include "pghosts.h"
#include "base/arena.h"
#include "base/words.h"
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

static char *
copy(const PQconninfoOption *options, const char *name)
{
	for (; options->keyword != NULL; options++)
		if (strcmp(options->keyword, name) == 0)
			return options->val != NULL && *options->val != '\0' ? xstrdup(options->val)
									     : NULL;
	return NULL;
}

/* Counts the elements of a list; 1 if one of them is empty, and so is what libpq prefers. */
static int
count(const char *list)
{
	int n = 0;

	while (list != NULL) {
		size_t len = strcspn(list, ",");

		if (len == 0)
			return 1;
		n++;
		list = list[len] == ',' ? list + len + 1 : NULL;
	}
	return n > 0 ? n : 1;
}

void
pghosts_read(struct pg_hosts *h, const char *uri)
{
	PQconninfoOption *options = PQconninfoParse(uri, NULL);

	*h = (struct pg_hosts){ .count = 1 };
	if (options == NULL)
		return;
	h->host = copy(options, "host");
	h->hostaddr = copy(options, "hostaddr");
	h->port = copy(options, "port");
	h->count = count(h->host != NULL ? h->host : h->hostaddr);
	PQconninfoFree(options);
}

void
pghosts_free(struct pg_hosts *h)
{
	free(h->host);
	free(h->hostaddr);
	free(h->port);
}

char *
pghosts_pick(const struct pg_hosts *h, const char *list, int i)
{
	/* One port is that of all. */
	if (list == NULL || h->count == 1 || strchr(list, ',') == NULL)
		return xstrdup("");
	while (i-- > 0 && *list != '\0') {
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return words_format("%.*s", (int)strcspn(list, ","), list);
}
