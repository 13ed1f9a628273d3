/* descriptor.c - checks a module's descriptor before it is used, and copies it to this host's
 * sizes. */
#include "module/descriptor.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/status.h"
#include "call/widen.h"
#include "http/router.h"
#include "module/capability.h"
#include "module/checkrow.h"
#include "module/columnrow.h"
#include "module/derived.h"
#include "module/driverrow.h"
#include "module/formrow.h"
#include "module/includerow.h"
#include "module/mailrow.h"
#include "module/memberlist.h"
#include "module/metricrow.h"
#include "module/module.h"
#include "module/oprow.h"
#include "module/pagerow.h"
#include "module/sqliterow.h"
#include "module/transferrow.h"
#include "module/typerow.h"
#include <ctype.h>
#include <stdio.h>
#include <stet/table.h>
#include <string.h>

#define ROWS_MAX 4096
#define STRIDE_MAX 4096
#define NEEDS_MAX 32
#define STATE_MAX (64U << 20)
#define OP_NAME_MAX 64
#define SERVICE_MAX 4096U
#define SIZE_MIN (offsetof(struct stet_module, files) + sizeof(struct stet_table))
/* members up to `of`, without which a list cannot be walked */
#define MEMBER_MIN offsetof(struct stet_member, item)

static _Thread_local char words[512];

static const char *__attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return words;
}

static bool
made_of(const char *s, const char *set, size_t max)
{
	size_t len = s != NULL ? strlen(s) : 0;

	return len > 0 && len <= max && strspn(s, set) == len;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT "0123456789"
bool
descriptor_name_ok(const char *name)
{
	return made_of(name, LOWER DIGIT "_-", MODULE_NAME_MAX) && islower((unsigned char)name[0]);
}

/* Returns true if an earlier row has the same value in this member. */
#define REPEATS(table_, type_, field_, at_, value_)                            \
	({                                                                     \
		bool twice_ = false;                                           \
		for (uint32_t k_ = 0; k_ < (at_) && !twice_; k_++) {           \
			type_ other_;                                          \
			stet_table_row((table_), k_, &other_, sizeof(other_)); \
			twice_ = strcmp(other_.field_, (value_)) == 0;         \
		}                                                              \
		twice_;                                                        \
	})

static const char *
check_op(const struct stet_module *m, uint32_t i)
{
	struct stet_op row;
	const char *why;

	stet_table_row(&m->ops, i, &row, sizeof(row));
	if ((why = oprow_check(&row, m)) != NULL)
		return say(
		    "its operation %s %s", row.name != NULL ? row.name : "without a name", why);
	if (REPEATS(&m->ops, struct stet_op, name, i, row.name))
		return say("it has two operations %s", row.name);
	if (row.permission != NULL && *row.permission == '\0')
		return say("its operation %s names an empty permission", row.name);
	if (row.route == NULL)
		return NULL;
	why = router_check(strchr(row.route, '/'));
	return why != NULL ? say("its operation %s has a bad route: %s", row.name, why) : NULL;
}

static const char *
check_hook(const struct stet_module *m, uint32_t i)
{
	static const union stet_hook_fn none;
	struct stet_hook row;

	stet_table_row(&m->hooks, i, &row, sizeof(row));
	if (row.at >= STET_HOOK_POINTS)
		return say("its hook %u names a point that does not exist (%u)", i, row.at);
	if (memcmp(&row.fn, &none, sizeof(none)) == 0)
		return say("its hook %u has no function", i);
	return NULL;
}

static const char *
check_migration(const struct stet_module *m, uint32_t i)
{
	struct stet_migration row;

	stet_table_row(&m->migrations, i, &row, sizeof(row));
	if (row.version != i + 1)
		return say("its migrations do not count up from 1 without gaps (%u stands at %u)",
		    row.version, i + 1);
	if (row.name == NULL)
		return say("its migration %u has no name", row.version);
	if (row.sql == NULL && row.run == NULL)
		return say("its migration %u does nothing", row.version);
	return NULL;
}

static const char *
check_permission(const struct stet_module *m, uint32_t i)
{
	struct stet_permission row;

	stet_table_row(&m->permissions, i, &row, sizeof(row));
	if (!made_of(row.name, LOWER DIGIT ":_-", 64))
		return say("its permission %u has a bad name", i);
	if (row.role < 1 || row.role > 50)
		return say("its permission %s asks for a role that does not exist (%d)", row.name,
		    row.role);
	if (REPEATS(&m->permissions, struct stet_permission, name, i, row.name))
		return say("it declares the permission %s twice", row.name);
	return NULL;
}

static const char *
check_field_type(const struct stet_module *m, uint32_t i)
{
	struct stet_field_type row;
	const char *why;

	stet_table_row(&m->field_types, i, &row, sizeof(row));
	if (!made_of(row.name, LOWER UPPER DIGIT "_-", 63) || !isalpha((unsigned char)row.name[0]))
		return say("its field type %u has a bad name", i);
	if (row.storage > STET_STORE_BOOLEAN)
		return say("its field type %s has an unknown storage", row.name);
	if (!typerow_fits(&row))
		return say("its field type %s cannot hold what it says", row.name);
	if (row.define == NULL || row.check == NULL)
		return say("its field type %s lacks define or check", row.name);
	if (row.type_name == NULL && row.typescript == NULL)
		return say("its field type %s says no TypeScript type", row.name);
	if (REPEATS(&m->field_types, struct stet_field_type, name, i, row.name))
		return say("it has two field types %s", row.name);
	why = formrow_check(m, row.label, row.validation, row.options);
	return why != NULL ? say("its field type %s %s", row.name, why) : NULL;
}

static bool
has_op(const struct stet_module *m, const char *name)
{
	struct stet_op row;

	for (uint32_t i = 0; i < m->ops.count; i++) {
		stet_table_row(&m->ops, i, &row, sizeof(row));
		if (strcmp(row.name, name) == 0)
			return true;
	}
	return false;
}

static const char *
check_command(const struct stet_module *m, uint32_t i)
{
	struct stet_command row;

	stet_table_row(&m->commands, i, &row, sizeof(row));
	if (!made_of(row.words, LOWER DIGIT "- ", 64))
		return say("its command %u has bad words", i);
	if ((row.op == NULL) == (row.run == NULL))
		return say("its command \"%s\" has not one of op and run", row.words);
	if (row.op != NULL && !has_op(m, row.op))
		return say("its command \"%s\" runs the operation %s, which it does not have",
		    row.words, row.op);
	if (REPEATS(&m->commands, struct stet_command, words, i, row.words))
		return say("it has two commands \"%s\"", row.words);
	return NULL;
}

static const char *
check_setting(const struct stet_module *m, uint32_t i)
{
	struct stet_setting_def row;
	struct stet_member shape[2] = { 0 };
	const char *why;

	stet_table_row(&m->settings, i, &row, sizeof(row));
	if (row.member.name == NULL || *row.member.name == '\0' || strlen(row.member.name) > 64)
		return say("its setting %u has a bad name", i);
	shape[0] = row.member;
	if ((why = formrow_check(m, NULL, NULL, shape)) != NULL)
		return say("its setting %s %s", row.member.name, why);
	if (REPEATS(&m->settings, struct stet_setting_def, member.name, i, row.member.name))
		return say("it has two settings %s", row.member.name);
	return NULL;
}

static const char *
check_service(const struct stet_module *m, uint32_t i)
{
	struct stet_service_def row;

	stet_table_row(&m->services, i, &row, sizeof(row));
	if (row.name == NULL || *row.name == '\0')
		return say("its service %u has no name", i);
	if (row.functions == NULL)
		return say("its service %s has no functions", row.name);
	if (row.size == 0 || row.size > SERVICE_MAX || row.size % sizeof(void *) != 0)
		return say("its service %s does not say how large it is", row.name);
	return NULL;
}

static const char *
check_job(const struct stet_module *m, uint32_t i)
{
	struct stet_job row;

	stet_table_row(&m->jobs, i, &row, sizeof(row));
	if (row.name == NULL || *row.name == '\0')
		return say("its job %u has no name", i);
	if (row.due == NULL || row.run == NULL)
		return say("its job %s lacks due or run", row.name);
	if (REPEATS(&m->jobs, struct stet_job, name, i, row.name))
		return say("it has two jobs %s", row.name);
	return NULL;
}

static const char *
check_transfer(const struct stet_module *m, uint32_t i)
{
	struct stet_transfer row;

	stet_table_row(&m->transfers, i, &row, sizeof(row));
	if (row.kinds != NULL)
		return NULL;
	/* files/ is the directory of modules' files in an export. */
	if (row.kind == NULL || !made_of(row.kind, LOWER "-", 64) || strcmp(row.kind, "files") == 0)
		return say("its transfer %u has a bad kind", i);
	if ((row.dump == NULL) != (row.load == NULL))
		return say("its transfer %s goes one way only", row.kind);
	if (transferrow_lacks(&row) != NULL)
		return say("its transfer %s lacks %s", row.kind, transferrow_lacks(&row));
	if (REPEATS(&m->transfers, struct stet_transfer, kind, i, row.kind))
		return say("it has two transfers %s", row.kind);
	return NULL;
}

static const char *
check_status(const struct stet_module *m, uint32_t i)
{
	struct stet_status_def row;

	stet_table_row(&m->statuses, i, &row, sizeof(row));
	if (!made_of(row.name, UPPER DIGIT "_", 64) || !isupper((unsigned char)row.name[0]))
		return say("its status %u has a bad name", i);
	if (row.http < 400 || row.http > 599)
		return say(
		    "its status %s has no HTTP status from 400 to 599 (%d)", row.name, row.http);
	if (row.text == NULL || *row.text == '\0')
		return say("its status %s has no text", row.name);
	if (status_is_core(row.name))
		return say("its status %s is one of the core", row.name);
	if (REPEATS(&m->statuses, struct stet_status_def, name, i, row.name))
		return say("it has two statuses %s", row.name);
	return NULL;
}

static const char *
check_scope(const struct stet_module *m, uint32_t i)
{
	struct stet_scope_def row;

	stet_table_row(&m->scopes, i, &row, sizeof(row));
	if (!made_of(row.name, LOWER DIGIT ":_-", 64) ||
	    !made_of(row.opened_by, LOWER DIGIT ":_-", 64))
		return say("its scope %u has a bad name", i);
	return NULL;
}

static const char *
check_importer(const struct stet_module *m, uint32_t i)
{
	struct stet_importer row;
	const char *why;

	stet_table_row(&m->importers, i, &row, sizeof(row));
	if (row.name == NULL || !stet_is_name(row.name) || strlen(row.name) > 32)
		return say("its importer %u has a bad name", i);
	if (row.read == NULL || row.about == NULL)
		return say("its importer %s lacks read or about", row.name);
	if (REPEATS(&m->importers, struct stet_importer, name, i, row.name))
		return say("it has two importers %s", row.name);
	why = formrow_check(m, row.label, NULL, row.options);
	return why != NULL ? say("its importer %s %s", row.name, why) : NULL;
}

/* ---- the whole descriptor ---- */

static const struct kind {
	const char *name;
	size_t at; /* offset of the table in the descriptor */
	size_t size; /* of our rows */
	const char *(*check)(const struct stet_module *, uint32_t);
} kinds[] = {
#define KIND(table_, type_, check_)                                                         \
	{                                                                                   \
#table_, offsetof(struct stet_module, table_), sizeof(struct type_), check_ \
	}
	KIND(ops, stet_op, check_op),
	KIND(hooks, stet_hook, check_hook),
	KIND(migrations, stet_migration, check_migration),
	KIND(permissions, stet_permission, check_permission),
	KIND(field_types, stet_field_type, check_field_type),
	KIND(commands, stet_command, check_command),
	KIND(settings, stet_setting_def, check_setting),
	KIND(services, stet_service_def, check_service),
	KIND(jobs, stet_job, check_job),
	KIND(transfers, stet_transfer, check_transfer),
	KIND(files, stet_file_column, columnrow_check_file),
	KIND(statuses, stet_status_def, check_status),
	KIND(scopes, stet_scope_def, check_scope),
	KIND(sealed, stet_sealed_column, columnrow_check_sealed),
	KIND(capabilities, stet_capability, capability_check),
	KIND(mails, stet_mail_def, mailrow_check),
	KIND(checks, stet_check, checkrow_check),
	KIND(metrics, stet_metric, metricrow_check),
	KIND(importers, stet_importer, check_importer),
	KIND(includes, stet_include, includerow_check),
	KIND(admin_pages, stet_admin_page, pagerow_check_page),
	KIND(field_widgets, stet_field_widget, pagerow_check_widget),
	KIND(file_drivers, stet_file_driver, driverrow_check_files),
	KIND(conf_keys, stet_conf_key, driverrow_check_key),
	KIND(sqlite_extensions, stet_sqlite_extension, sqliterow_check),
	KIND(mail_transports, stet_mail_transport, driverrow_check_transport),
	KIND(database_drivers, stet_database_driver, driverrow_check_database),
#undef KIND
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct stet_table *
table_of(struct stet_module *m, const struct kind *kind)
{
	return (struct stet_table *)(void *)((char *)m + kind->at);
}

static const char *
check_abi(const struct stet_module *m)
{
	if (m->magic != STET_MAGIC)
		return say("its descriptor is not one of stet's");
	if (m->abi_major != STET_ABI_MAJOR)
		return say(
		    "it was built for ABI %u, and this is %u: build it anew with the headers of "
		    "stet %s",
		    m->abi_major, STET_ABI_MAJOR, stet_version());
	if (m->abi_minor > STET_ABI_MINOR)
		return say("it was built for ABI %u.%u, which is newer than this %u.%u",
		    m->abi_major, m->abi_minor, STET_ABI_MAJOR, STET_ABI_MINOR);
	return NULL;
}

static const char *
check_head(const struct stet_module *m, const char *name)
{
	const char *why = check_abi(m);

	if (why != NULL)
		return why;
	if (m->size < SIZE_MIN)
		return say(
		    "its descriptor has %u bytes, and none has less than %zu", m->size, SIZE_MIN);
	if (m->abi_note == NULL || strcmp(m->abi_note, STET_ABI_NOTE) != 0)
		return say("it was built with other options (\"%.64s\", not \"%s\")",
		    m->abi_note != NULL ? m->abi_note : "", STET_ABI_NOTE);
	if (!descriptor_name_ok(m->name))
		return say(
		    "its name is not made of a to z, 0 to 9, - and _, beginning with a letter");
	if (name != NULL && strcmp(m->name, name) != 0)
		return say("its name is %s, and that of its file is %s", m->name, name);
	return NULL;
}

static const char *
check_needs(const struct stet_module *m)
{
	for (size_t i = 0; m->needs != NULL && m->needs[i] != NULL; i++) {
		if (i == NEEDS_MAX)
			return say("it needs more than %d modules", NEEDS_MAX);
		if (!descriptor_name_ok(m->needs[i]))
			return say("it needs a module of an impossible name");
		if (strcmp(m->needs[i], m->name) == 0)
			return say("it needs itself");
	}
	return NULL;
}

static const char *
check_guarded(const struct stet_module *m)
{
	for (size_t i = 0; m->guarded != NULL && m->guarded[i] != NULL; i++)
		if (i == NEEDS_MAX || m->guarded[i][0] != '/' ||
		    router_check(m->guarded[i]) != NULL)
			return say("its guarded path %zu is none", i);
	return NULL;
}

static const char *
check_tables(struct stet_module *m)
{
	for (size_t i = 0; i < KINDS; i++) {
		const struct stet_table *t = table_of(m, &kinds[i]);

		if (t->count != 0 && (t->row == NULL || t->stride == 0 || t->stride % 2 != 0 ||
					 t->stride > STRIDE_MAX || t->count > ROWS_MAX))
			return say("its table of %s is malformed", kinds[i].name);
	}
	return NULL;
}

static const char *
check_members(const struct stet_module *m)
{
	if (m->member_size > sizeof(struct stet_member))
		return say("its members have %u bytes, and ours %zu: it needs a newer version",
		    m->member_size, sizeof(struct stet_member));
	if (m->member_size < MEMBER_MIN || m->member_size % sizeof(void *) != 0)
		return say("its members have %u bytes, which no version had", m->member_size);
	return NULL;
}

/* Checks the rows of a copy, which have this host's sizes. */
static const char *
check_rows(struct stet_module *copy)
{
	const char *why = NULL;

	for (size_t i = 0; i < KINDS; i++) {
		uint32_t count = table_of(copy, &kinds[i])->count;

		for (uint32_t k = 0; k < count && why == NULL; k++)
			why = kinds[i].check(copy, k);
	}
	return why;
}

const char *
descriptor_check(const struct stet_module *given, const char *name)
{
	struct stet_module m = { 0 }, copy;
	struct arena memory = { 0 };
	const char *why;

	if (given == NULL)
		return say("it has no descriptor");
	if ((why = check_head(given, name)) != NULL)
		return why;
	memcpy(&m, given, given->size < sizeof(m) ? given->size : sizeof(m));
	if ((why = check_needs(&m)) != NULL || (why = check_members(&m)) != NULL ||
	    (why = check_guarded(&m)) != NULL || (why = derived_flaw(&m)) != NULL ||
	    (why = check_tables(&m)) != NULL)
		return why;
	descriptor_copy(&m, &copy, &memory, sizeof(struct stet_member));
	why = check_rows(&copy);
	arena_free(&memory);
	return why == NULL && m.state_size > STATE_MAX ? say("its state is too large") : why;
}

const char *
descriptor_check_plugin(const struct stet_module *given)
{
	struct stet_module all, *m = &all;
	struct stet_status_def status;
	struct stet_scope_def scope;
	struct stet_op row;

	stet_extend(&all, sizeof(all), given, given->size);
	for (uint32_t i = 0; i < m->ops.count; i++) {
		stet_table_row(&m->ops, i, &row, sizeof(row));
		if (strlen(m->name) + strlen("__") + strlen(row.name) > OP_NAME_MAX)
			return say("its operation %s__%s has a name of more than %d characters",
			    m->name, row.name, OP_NAME_MAX);
		if ((row.flags & STET_AT_ROOT) != 0)
			return say(
			    "its operation %s has a route outside /plugins/%s", row.name, m->name);
	}
	for (uint32_t i = 0; i < m->scopes.count; i++) {
		size_t len = strlen(m->name);

		stet_table_row(&m->scopes, i, &scope, sizeof(scope));
		if (strncmp(scope.name, m->name, len) != 0 || scope.name[len] != ':')
			return say("its scope %s does not begin with %s:", scope.name, m->name);
	}
	for (uint32_t i = 0; i < m->statuses.count; i++) {
		stet_table_row(&m->statuses, i, &status, sizeof(status));
		if (status.number != STET_OK || (status.flags & STET_HOOK_FAILED) != 0)
			return say(
			    "its status %s is said to be one of a bundled module", status.name);
	}
	return NULL;
}

/* ---- copies ---- */

/* Moves MENDS_BEFORE to `more`. */
static void
move_flags(const struct stet_module *copy, void *rows)
{
	struct stet_op *op = rows;

	if (rows != copy->ops.row)
		return;
	for (uint32_t i = 0; i < copy->ops.count; i++) {
		if ((op[i].flags & MENDS_BEFORE) == 0)
			continue;
		op[i].flags &= ~MENDS_BEFORE;
		op[i].more |= STET_MORE_MENDS;
	}
}

/* Puts zeros behind the functions of services; rows to be refused stay unchanged. */
static void
extend_services(struct stet_module *copy, void *rows, struct arena *memory)
{
	for (uint32_t i = 0; rows == copy->services.row && i < copy->services.count; i++) {
		struct stet_service_def *def = &((struct stet_service_def *)rows)[i];
		void *functions;

		if (def->functions == NULL || def->size > SERVICE_MAX)
			continue;
		functions = arena_alloc(memory, SERVICE_MAX);
		stet_extend(functions, SERVICE_MAX, def->functions, def->size);
		def->functions = functions;
	}
}

/* Copies rows, each to the size of this host's. */
static void *
copy_rows(struct stet_table *t, size_t size, struct arena *memory)
{
	char *rows = t->count > 0 ? arena_alloc(memory, t->count * size) : NULL;

	for (uint32_t i = 0; i < t->count; i++)
		stet_table_row(t, i, rows + i * size, size);
	t->row = rows;
	t->stride = (uint32_t)size;
	return rows;
}

void
descriptor_copy(
    const struct stet_module *m, struct stet_module *copy, struct arena *memory, size_t member)
{
	struct widening w = { .from = m->member_size, .to = member, .arena = *memory };

	stet_extend(copy, sizeof(*copy), m, m->size);
	copy->size = sizeof(*copy);
	copy->member_size = (uint32_t)member;
	if (copy->version == NULL)
		copy->version = "0";
	if (copy->summary == NULL)
		copy->summary = "";
	for (size_t i = 0; i < KINDS; i++) {
		void *rows = copy_rows(table_of(copy, &kinds[i]), kinds[i].size, &w.arena);

		if (rows == NULL)
			continue;
		memberlist_widen(copy, rows, &w);
		extend_services(copy, rows, &w.arena);
		move_flags(copy, rows);
	}
	*memory = w.arena;
}
