/* txslot.c - values that modules have read in write transactions, and nobody has changed since. */
#include "db/txslot.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "db/part.h"
#include "db/stmt.h"
#include <ctype.h>
#include <string.h>

uint64_t
txslot_bit(const char *table, size_t len)
{
	uint32_t hash = 2166136261U; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)tolower((unsigned char)table[i])) * 16777619U;
	return UINT64_C(1) << (hash >> 26);
}

#define MEMORY_MAX 65536 /* bytes that slots may take from one transaction to the next */

/* The bits of names that are parted by blanks. */
static uint64_t
bits(const char *tables)
{
	uint64_t set = 0;

	while (*tables != '\0') {
		size_t len = strcspn(tables, " ");

		set |= txslot_bit(tables, len);
		tables += len + (tables[len] == ' ');
	}
	return set;
}

void
txslot_wrote(struct db *db, uint64_t tables)
{
	db->writes++;
	if (tables == TXSLOT_ALL)
		db->changed_all = db->writes;
	else
		for (uint64_t left = tables; left != 0; left &= left - 1)
			db->changed[__builtin_ctzll(left)] = db->writes;
	if ((tables & db->watched) == 0)
		return;
	/* Memory stays until the end: a call may still use what it has found in a slot. */
	for (unsigned i = 0; i < db->slots; i++)
		if ((db->slot[i].tables & tables) != 0)
			db->slot[i].value = NULL;
}

void
txslot_begin(struct db *db)
{
	if (db->unsettled || db->memory.size > MEMORY_MAX || !db->driver->alone(db))
		txslot_end(db);
	db->unsettled = true;
	db->changed_all = ++db->writes;
}

void
txslot_end(struct db *db)
{
	if (db->slots == 0 && db->memory.size == 0)
		return;
	db->slots = 0;
	db->watched = 0;
	arena_free(&db->memory);
}

void **
stet_tx_slot(struct stet_call *call, const void *key, const char *tables)
{
	struct db *db = db_part(call)->db;
	struct db_slot *slot;

	if (!call->writing)
		return NULL;
	for (unsigned i = 0; i < db->slots; i++)
		if (db->slot[i].key == key)
			return &db->slot[i].value;
	if (db->slots == DB_SLOTS)
		return NULL;
	slot = &db->slot[db->slots++];
	*slot = (struct db_slot){ .key = key, .tables = bits(tables) };
	db->watched |= slot->tables;
	return &slot->value;
}

uint64_t
stet_tx_written(struct stet_call *call, const char *tables)
{
	const struct db *db = db_part(call)->db;
	uint64_t last;

	stet_assert(call->writing);
	last = db->changed_all;
	for (uint64_t left = bits(tables); left != 0; left &= left - 1) {
		uint64_t at = db->changed[__builtin_ctzll(left)];

		last = at > last ? at : last;
	}
	return last;
}

void *
stet_tx_alloc(struct stet_call *call, size_t size)
{
	stet_assert(call->writing);
	return arena_alloc(&db_part(call)->db->memory, size);
}
