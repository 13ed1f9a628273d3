/* driver.c - loads drivers for the reader of stet.conf, with the keys that they bring. */
#include "module/driver.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "db/driver.h"
#include "module/module.h"
#include <stet/module.h>
#include <string.h>

static const enum conf_kind kinds[] = {
	[STET_CONF_TEXT] = CONF_TEXT,
	[STET_CONF_SWITCH] = CONF_SWITCH,
	[STET_CONF_CHOICE] = CONF_CHOICE,
	[STET_CONF_SPAN] = CONF_SPAN,
	[STET_CONF_SIZE] = CONF_SIZE,
	[STET_CONF_NUMBER] = CONF_INT,
};

static const struct conf_check *
check_of(const struct stet_conf_key *row)
{
	struct conf_check *check;

	if (row->kind == STET_CONF_SPAN)
		return &confcheck_timeout;
	if (row->kind == STET_CONF_SIZE)
		return &confcheck_bytes;
	if (row->kind == STET_CONF_SWITCH || row->kind == STET_CONF_NUMBER)
		return NULL;
	if (row->kind == STET_CONF_TEXT && row->good == NULL)
		return &confcheck_some;
	check = xcalloc(1, sizeof(*check));
	*check = (struct conf_check){ .good = row->good, .want = row->want };
	return check;
}

static struct conf_driver *
make(const struct loaded *l)
{
	struct conf_driver *driver = xcalloc(1, sizeof(*driver));
	struct conf_key *keys = xcalloc(l->m.conf_keys.count + 1, sizeof(*keys));

	driver->size = (l->m.conf_keys.count + 1) * sizeof(int64_t);
	for (uint32_t i = 0; i < l->m.conf_keys.count; i++) {
		struct stet_conf_key row;

		stet_table_row(&l->m.conf_keys, i, &row, sizeof(row));
		keys[i] = (struct conf_key){ .name = row.name,
			.kind = kinds[row.kind],
			.offset = i * sizeof(int64_t), /* as large as the largest kind */
			.check = check_of(&row),
			.fallback = row.fallback,
			.number = row.number,
			.least = row.least,
			.most = row.most,
			.choices = row.choices };
	}
	driver->usual = xcalloc(1, driver->size);
	for (uint32_t i = 0; i < l->m.conf_keys.count; i++)
		if (keys[i].kind == CONF_INT || keys[i].kind == CONF_SWITCH)
			confkey_set_number(&keys[i], driver->usual, keys[i].number);
		else
			confkey_set(&keys[i], driver->usual, &keys[i].fallback,
			    keys[i].fallback != NULL ? 1 : 0);
	driver->keys = keys;
	driver->name = confdriver_name(l->m.name, &driver->kind);
	driver->files = l->m.file_drivers.row; /* a copy of this host's size */
	driver->mail = l->m.mail_transports.row;
	driver->loaded = l;
	if (driver->kind == CONF_DATABASE) {
		const struct stet_database_driver *row = l->m.database_drivers.row;

		stet_assert(db_driver_add(row->functions));
	}
	return driver;
}

const struct conf_driver *
driver_find(const char *module_path, const char *plugin_path, const char *file, char **why)
{
	static const struct conf_driver *made[CONF_DRIVERS_MAX];
	const struct loaded *l;
	size_t i = 0;

	*why = NULL;
	while (
	    i < CONF_DRIVERS_MAX && made[i] != NULL && strcmp(made[i]->loaded->m.name, file) != 0)
		i++;
	if (i == CONF_DRIVERS_MAX) {
		*why = words_format("there are %d drivers already", CONF_DRIVERS_MAX);
		return NULL;
	}
	if (made[i] == NULL &&
	    (l = modules_load_driver(module_path, plugin_path, file, why)) != NULL)
		made[i] = make(l);
	return made[i];
}
