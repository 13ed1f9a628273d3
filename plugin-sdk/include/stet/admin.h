/*
 * admin.h - the service of the admin module, for modules that have plain pages of their own for
 * what the admin pages do better. Without that module, or without its files, the plain pages are
 * shown.
 */
#ifndef STET_ADMIN_H
#define STET_ADMIN_H

#include <stet/call.h>

#define STET_ADMIN_1 "admin/1"
struct stet_admin_1 {
	/* Returns true if the admin pages are there: the installation has their files. */
	bool (*has_pages)(struct stet_call *);
	/* New functions go here, and nowhere else. */
};

#endif
