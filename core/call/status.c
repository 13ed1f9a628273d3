/*
 * status.c - names, HTTP statuses and texts of statuses.
 *
 * A status is a number. Small ones belong to the core (status.def) or are constants of the SDK,
 * whose rows bundled modules bring. Larger ones are assigned to rows of modules in load order. Rows
 * are only added, never changed, and only by the thread that loads modules, so all threads read
 * them without a lock.
 */
#include "call/status.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define FIRST_GIVEN 1024 /* lower numbers are constants */
#define NUMBERS 16384

static const struct stet_status_def core[] = {
#define STET_STATUS(number, name, http, text) { #name, http, text, 0, STET_##name },
#include <stet/status.def>
#undef STET_STATUS
};
#define CORE (sizeof(core) / sizeof(core[0]))
#define CORE_HIDDEN 3 /* OK, FAULT and DECLINED come first; clients never see them */

static _Atomic(const struct stet_status_def *) brought[NUMBERS]; /* by number */
static uint32_t next_number = FIRST_GIVEN;

static const struct stet_status_def *
core_row(enum stet_status status)
{
	for (size_t i = 0; i < CORE; i++)
		if (core[i].number == status)
			return &core[i];
	return NULL;
}

static const struct stet_status_def *
known_row(enum stet_status status)
{
	const struct stet_status_def *row = core_row(status);

	if (row == NULL && status < NUMBERS)
		row = atomic_load_explicit(&brought[status], memory_order_acquire);
	return row;
}

static const struct stet_status_def *
row_of(enum stet_status status)
{
	const struct stet_status_def *row = known_row(status);

	return row != NULL ? row : core_row(STET_INTERNAL_ERROR);
}

bool
status_is_known(enum stet_status status)
{
	return known_row(status) != NULL;
}

const char *
status_said(struct stet_call *call, enum stet_status status)
{
	if (status_is_known(status))
		return stet_status_name(status);
	return stet_printf(call, "%u, which is no status", (unsigned)status);
}

const char *
stet_status_name(enum stet_status status)
{
	return row_of(status)->name;
}

int
stet_status_http(enum stet_status status)
{
	return row_of(status)->http;
}

const char *
stet_status_text(enum stet_status status)
{
	return row_of(status)->text;
}

bool
status_is_verdict(enum stet_status status)
{
	return (row_of(status)->flags & STET_VERDICT) != 0;
}

bool
status_is_core(const char *name)
{
	for (size_t i = 0; i < CORE; i++)
		if (strcmp(core[i].name, name) == 0)
			return true;
	return false;
}

size_t
status_core(const struct stet_status_def **rows)
{
	*rows = core + CORE_HIDDEN;
	return CORE - CORE_HIDDEN;
}

const char *
status_add(struct stet_status_def *rows, uint32_t count)
{
	if (count > NUMBERS - next_number)
		return "there are too many statuses already";
	for (uint32_t i = 0; i < count; i++) {
		enum stet_status number = rows[i].number;

		if (number == STET_OK)
			continue;
		if (number >= FIRST_GIVEN || core_row(number) != NULL ||
		    atomic_load_explicit(&brought[number], memory_order_relaxed) != NULL)
			return "the number of one of its statuses is taken";
	}
	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].number == STET_OK)
			rows[i].number = (enum stet_status)next_number++;
		atomic_store_explicit(&brought[rows[i].number], &rows[i], memory_order_release);
	}
	return NULL;
}

const struct stet_status_def *
status_of(const struct loaded *l, const char *name)
{
	const struct stet_status_def *rows = l->m.statuses.row;

	for (uint32_t i = 0; i < l->m.statuses.count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

enum stet_status
stet_code(struct stet_call *call, const char *name)
{
	const struct stet_status_def *row = NULL;

	if (call->owner != NULL)
		row = status_of(call->owner, name);
	for (size_t i = 0; row == NULL && call->gen != NULL && i < call->gen->module_count; i++)
		row = status_of(call->gen->module[i], name);
	if (row != NULL)
		return row->number;
	stet_log(call, STET_ERROR, "the status %s, which no enabled module brings", name);
	return STET_FAULT;
}

size_t
stet_codes(struct stet_call *call, const struct stet_status_def *const **out)
{
	*out = call->gen->status;
	return call->gen->status_count;
}

enum stet_status
status_of_head(int http)
{
	switch (http) {
	case 431:
		return STET_HEADERS_TOO_LARGE;
	case 413:
		return STET_PAYLOAD_TOO_LARGE;
	case 417:
		return STET_EXPECTATION_FAILED;
	case 501:
		return STET_NOT_IMPLEMENTED;
	case 505:
		return STET_VERSION_NOT_SUPPORTED;
	default:
		return STET_INVALID_REQUEST;
	}
}
