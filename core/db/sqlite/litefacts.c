/* litefacts.c - describes a file of SQLite by what the file system says: it is not opened. */
#include "db/sqlite/litefacts.h"
#include "base/words.h"
#include "db/sqlite/checkpoint.h"
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

json_t *
litefacts_describe(const char *place, char **why)
{
	struct stat st;

	if (stat(place, &st) != 0) {
		*why = words_format("%s: %s", place, strerror(errno));
		return NULL;
	}
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:[]}", "engine", "SQLite", "version",
	    sqlite3_libversion(), "place", place, "bytes", (json_int_t)st.st_size, "logBytes",
	    (json_int_t)checkpoint_log_size(place), "findings");
}
