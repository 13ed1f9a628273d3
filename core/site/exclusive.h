/*
 * exclusive.h - work that wants a site's database for itself, such as changing its key: meanwhile
 * other processes read, but do not write. Their calls get 503.
 */
#ifndef CORE_SITE_EXCLUSIVE_H
#define CORE_SITE_EXCLUSIVE_H

#include <stdbool.h>

struct site;

/* Closes the site for others, for 30 seconds at most: this process may die. What they have begun to
 * write is committed then. Returns false with *why, to be freed, if that is impossible, or another
 * process has closed it. Where nobody else can use the database, it does nothing. */
bool exclusive_begin(struct site *, char **why);
void exclusive_end(struct site *);

#endif
