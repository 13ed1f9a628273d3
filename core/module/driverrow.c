/* driverrow.c - validates the rows of a driver: its driver of files or transport of mails, and the
 * keys that it brings to stet.conf. */
#include "module/driverrow.h"
#include "conf/confdriver.h"
#include <string.h>

/* Returns the name of the driver of this kind that a module of this name has, or NULL. */
static const char *
driver_of(const struct stet_module *m, enum conf_driver_kind want)
{
	enum conf_driver_kind kind;
	const char *name = confdriver_name(m->name, &kind);

	return name != NULL && kind == want ? name : NULL;
}

/* Returns true if a row of this name may stand in a table of drivers of this kind. */
static bool
is_of(const struct stet_module *m, enum conf_driver_kind kind, const char *name)
{
	const char *driver = driver_of(m, kind);

	return driver != NULL && name != NULL && strcmp(name, driver) == 0 &&
	       confcheck_driver_name(name);
}

const char *
driverrow_check_files(const struct stet_module *m, uint32_t i)
{
	struct stet_file_driver row;

	stet_table_row(&m->file_drivers, i, &row, sizeof(row));
	if (i > 0)
		return "it has two drivers of files";
	if (!is_of(m, CONF_FILES, row.name))
		return "the name of its driver of files is not that of its file without \"files-\"";
	if (confdriver_key(conf_site_keys, row.name) != NULL)
		return "the name of its driver of files is that of a key of stet.conf";
	if (row.put == NULL || row.remove == NULL || row.each == NULL || row.sum == NULL)
		return "its driver of files lacks put, remove, each or sum";
	if ((row.open == NULL) == (row.get == NULL))
		return "its driver of files has not one of open and get";
	if ((row.url == NULL) != (row.take == NULL) || (row.url == NULL) != (row.origin == NULL))
		return "its driver of files lacks one of url, take and origin";
	return NULL;
}

const char *
driverrow_check_transport(const struct stet_module *m, uint32_t i)
{
	struct stet_mail_transport row;

	stet_table_row(&m->mail_transports, i, &row, sizeof(row));
	if (i > 0)
		return "it has two transports of mails";
	if (!is_of(m, CONF_MAIL, row.name))
		return "the name of its transport of mails is not that of its file without \"mail-\"";
	if (confdriver_key(conf_site_keys, row.name) != NULL)
		return "the name of its transport of mails is that of a key of stet.conf";
	return row.send == NULL ? "its transport of mails lacks send" : NULL;
}

const char *
driverrow_check_database(const struct stet_module *m, uint32_t i)
{
	struct stet_database_driver row;

	stet_table_row(&m->database_drivers, i, &row, sizeof(row));
	if (i > 0)
		return "it has two drivers of databases";
	if (!is_of(m, CONF_DATABASE, row.name))
		return "the name of its driver of databases is not that of its file without"
		       " \"database-\"";
	return row.functions == NULL ? "its driver of databases has no functions" : NULL;
}

const char *
driverrow_lacks(const struct stet_module *m)
{
	if (driver_of(m, CONF_FILES) != NULL && m->file_drivers.count == 0)
		return "it has no driver of files";
	if (driver_of(m, CONF_MAIL) != NULL && m->mail_transports.count == 0)
		return "it has no transport of mails";
	if (driver_of(m, CONF_DATABASE) != NULL && m->database_drivers.count == 0)
		return "it has no driver of databases";
	return NULL;
}

/* Returns true if the default of the row is a value of its kind. */
static bool
has_good_fallback(const struct stet_conf_key *row)
{
	switch (row->kind) {
	case STET_CONF_TEXT:
		return row->fallback == NULL || row->good == NULL || row->good(row->fallback);
	case STET_CONF_CHOICE:
		return row->fallback != NULL && row->choices != NULL &&
		       confcheck_is_one_of(row->fallback, row->choices);
	case STET_CONF_SPAN:
		return row->fallback != NULL && confcheck_duration(row->fallback) > 0;
	case STET_CONF_SIZE:
		return row->fallback != NULL && confcheck_size(row->fallback) >= 0;
	case STET_CONF_NUMBER:
		return row->number >= row->least && row->number <= row->most &&
		       row->least >= INT32_MIN && row->most <= INT32_MAX;
	default:
		return true;
	}
}

const char *
driverrow_check_key(const struct stet_module *m, uint32_t i)
{
	enum conf_driver_kind kind;
	const char *driver = confdriver_name(m->name, &kind);
	struct stet_conf_key row, other;
	size_t len;

	stet_table_row(&m->conf_keys, i, &row, sizeof(row));
	if (driver == NULL)
		return "it brings keys of stet.conf, which only drivers can: its name does not begin"
		       " with \"files-\" or \"mail-\"";
	len = strlen(driver);
	if (row.name == NULL || strncmp(row.name, driver, len) != 0 || row.name[len] != '-' ||
	    row.name[len + 1] == '\0' ||
	    strspn(row.name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(row.name) ||
	    confdriver_key(conf_site_keys, row.name) != NULL)
		return "a key that it brings to stet.conf has a bad name";
	if (row.kind > STET_CONF_NUMBER)
		return "a key that it brings to stet.conf is of an unknown kind";
	if (row.kind == STET_CONF_TEXT && (row.good == NULL) != (row.want == NULL))
		return "a key that it brings to stet.conf has not both of good and want";
	if (!has_good_fallback(&row))
		return "a key that it brings to stet.conf has a bad default";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->conf_keys, k, &other, sizeof(other));
		if (strcmp(row.name, other.name) == 0)
			return "it brings a key to stet.conf twice";
	}
	return NULL;
}
