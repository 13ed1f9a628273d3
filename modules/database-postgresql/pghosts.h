/* pghosts.h - the servers that a URI names. */
#ifndef PGHOSTS_H
#define PGHOSTS_H

struct pg_hosts {
	char *host, *hostaddr, *port; /* as libpq reads them: lists with commas; NULL: none */
	int count; /* 1 at least */
};
void pghosts_read(struct pg_hosts *, const char *uri);
void pghosts_free(struct pg_hosts *);
/* Returns an element of such a list, to be freed; what the URI says holds if it is empty. */
char *pghosts_pick(const struct pg_hosts *, const char *list, int);

#endif
