/* elsewhere.h - for tests of files: a files-directory that is on another file system, if there is
 * one. */
#ifndef T_UNIT_ELSEWHERE_H
#define T_UNIT_ELSEWHERE_H

#include "harness.h"
#include "template.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where the driver `directory` keeps files; "": in the data directory. */
static char elsewhere[64];

/* Memory is another file system than /tmp, if it is mounted here. */
static void
elsewhere_go(void)
{
	(void)snprintf(elsewhere, sizeof(elsewhere), "%s/stet-files-XXXXXX",
	    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(elsewhere));
}

static void
elsewhere_end(void)
{
	template_remove(elsewhere);
	*elsewhere = '\0';
}

#endif
