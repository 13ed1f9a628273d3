/*
 * admin.h - the service of the admin module, for modules with plain pages that the admin pages
 * replace. If the admin module is disabled or lacks its files, the plain pages are shown.
 */
#ifndef STET_ADMIN_H
#define STET_ADMIN_H

#include <stet/call.h>

#define STET_ADMIN_1 "admin/1"
struct stet_admin_1 {
	/* Returns true if the installation has the files of the admin pages. */
	bool (*has_pages)(struct stet_call *);
	/* New functions go here, and nowhere else. */
};

#endif
