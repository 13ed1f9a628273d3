/*
 * elder.c - a plugin that hands structures of each kind to the host and is handed some. What it
 * allocates ends at the end of a page behind which nothing can be read or written: a host that
 * reads or writes more of a structure than this plugin knows crashes. Its descriptor ends before
 * the tables that came last, its ops before `more`.
 */
#include "elder.h"
#include <stddef.h>
#include <stet/fetch.h>
#include <sys/mman.h>
#include <unistd.h>

static void
unmap(void *at)
{
	munmap(at, 2 * (size_t)sysconf(_SC_PAGESIZE));
}

void *
guarded(struct stet_call *call, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE) != 0)
		stet_out_of_memory();
	stet_defer(call, unmap, at);
	return at + page - size;
}

/* ---- collections, as hooks are given them ---- */

static enum stet_status
note(struct stet_call *call, struct stet_tx *tx, const char *what)
{
	return stet_exec(call, tx, "INSERT INTO elder_note (id, what) VALUES (?1, ?2)",
	    STET_ARGS(stet_id(call), what));
}

/* The word "forbidden" is not allowed in any field. */
static enum stet_status
check_entry(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	const struct stet_collection *c = stet_entry_collection(entry);

	(void)tx;
	for (size_t i = 0; i < c->field_count; i++)
		if (strstr(stet_entry_text(call, entry, c->fields[i]->slug), "forbidden") != NULL)
			return stet_fail(call, STET_SAVE_REJECTED, c->fields[i]->slug,
			    "%s holds what is forbidden", c->fields[i]->label);
	return STET_OK;
}

static enum stet_status
entry_changed(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const char *change, int64_t version)
{
	(void)id;
	(void)version;
	return note(call, tx,
	    stet_printf(call, "%s in %s, which has %zu fields", change, c->slug, c->field_count));
}

static enum stet_status
op_written(struct stet_call *call, struct stet_tx *tx, const struct stet_written *w)
{
	const struct stet_op *op = stet_written_op(call);
	const char *members = "";

	if (strcmp(w->module, "content") != 0)
		return STET_OK;
	for (const struct stet_member *m = op->in; m != NULL && m->name != NULL; m++)
		members = stet_printf(call, "%s %s", members, m->name);
	return note(call, tx, stet_printf(call, "%s of%s", op->name, members));
}

static enum stet_status
moderate(struct stet_call *call, struct stet_tx *tx, struct stet_comment *comment)
{
	(void)call;
	(void)tx;
	if (strstr(comment->body, "buy") != NULL) {
		comment->status = STET_COMMENT_SPAM;
		comment->reason = "the elder does not buy";
	}
	return STET_OK;
}

static const struct stet_hook hooks[] = {
	STET_ON(entry_before_save, 0, check_entry),
	STET_ON(entry_changed, 0, entry_changed),
	STET_ON(op_written, 0, op_written),
	STET_ON(comment_moderate, 0, moderate),
};

static enum stet_status
fields(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *c;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &c));
	stet_array(out, NULL);
	for (size_t i = 0; i < c->field_count; i++)
		stet_put_str(out, NULL,
		    stet_printf(call, "%zu %s: %s, %s", c->fields[i]->position, c->fields[i]->slug,
			c->fields[i]->type->name, c->fields[i]->label));
	stet_close(out);
	return STET_OK;
}

/* ---- a field type, and those of others ---- */

static enum stet_status
even_define(struct stet_call *call, const struct stet_field *field)
{
	if (json_object_get(field->options, "odd") != NULL)
		stet_issue(call, "options.odd", "is not what %s is for", field->slug);
	return STET_OK;
}

static enum stet_status
even_check(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	*out = NULL;
	if (strcmp(field->type->name, "even") != 0 || !json_is_integer(value) ||
	    json_integer_value(value) % 2 != 0)
		stet_issue(call, path, "must be an even number");
	else
		*out = json_incref((json_t *)(uintptr_t)value);
	return STET_OK;
}

static const struct stet_field_type field_types[] = {
	{ .name = "even",
	    .storage = STET_STORE_INTEGER,
	    .type_name = "number",
	    .define = even_define,
	    .check = even_check },
};

static enum stet_status
type(struct stet_call *call)
{
	struct stet_field_type *t = UNFILLED(call, stet_field_type);
	struct stet_json *out = stet_reply(call);

	if (!stet_field_type(call, stet_arg(call, "name"), t))
		return stet_fail(call, STET_NOT_FOUND, "name", "There is no such type");
	stet_object(out, NULL);
	stet_put_str(out, "name", t->name);
	stet_put_int(out, "storage", t->storage);
	stet_put_str(out, "typeName", t->type_name);
	stet_close(out);
	return STET_OK;
}

/* ---- structures that the daemon reads or fills ---- */

static enum stet_status
page(struct stet_call *call)
{
	struct stet_page *p = GUARDED(call, stet_page, .listing = "elder", .key = "id");
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, what FROM elder_note WHERE what LIKE 'note %'");
	STET_TRY(stet_page_sql(call, p, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(p, &rows))
		stet_put_str(out, NULL, stet_col_str(&rows, 1));
	stet_close(out);
	stet_page_end(out, p);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
write_note(struct stet_call *call)
{
	stet_put_null(stet_reply(call), NULL);
	return note(call, stet_write_tx(call), stet_arg(call, "what"));
}

static enum stet_status
notes(struct stet_call *call)
{
	struct stet_rows rows;

	stet_array(stet_reply(call), NULL);
	STET_TRY(stet_query(call, &rows, "SELECT what FROM elder_note ORDER BY id", STET_NO_ARGS));
	while (stet_row(&rows))
		stet_put_str(stet_reply(call), NULL, stet_col_str(&rows, 0));
	stet_close(stet_reply(call));
	return stet_rows_end(&rows);
}

static enum stet_status
absence(struct stet_call *call)
{
	struct stet_absence *a = UNFILLED(call, stet_absence);
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_absence(call, a));
	stet_object(out, NULL);
	stet_put_int(out, "number", a->number);
	stet_put_bool(out, "open", a->open);
	stet_put_str(out, "from", a->from);
	stet_put_str(out, "until", a->until);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
become(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_principal_set(
	    call, GUARDED(call, stet_principal, .id = "elder", .email = "elder@example.org",
		      .role = 10, .scopes = "content:read"));
	stet_object(out, NULL);
	stet_put_str(out, "email", stet_principal(call)->email);
	stet_put_str(out, "scopes", stet_principal(call)->scopes);
	stet_put_int(out, "role", stet_principal(call)->role);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
fetch(struct stet_call *call)
{
	static const char *const headers[] = { "X-Elder: yes", NULL };
	const struct stet_fetch *ask = GUARDED(call, stet_fetch, .method = "PUT",
	    .headers = headers, .body = "four", .body_len = 4, .most = 4, .cut = true);
	struct stet_fetched *got = UNFILLED(call, stet_fetched);
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_fetch(call, stet_arg(call, "url"), ask, got));
	stet_object(out, NULL);
	stet_put_int(out, "status", got->status);
	stet_put_str(out, "type", got->type);
	stet_put_strn(out, "body", got->body, got->len);
	stet_put_bool(out, "cut", got->cut);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
file(struct stet_call *call)
{
	int fd;

	STET_TRY(stet_file_open(call, stet_arg(call, "key"), &fd));
	return stet_reply_file(call, fd,
	    GUARDED(call, stet_file_answer, .type = "text/plain", .name = "elder.txt",
		.tag = "elder-1", .cache = "no-cache"));
}

struct keeping {
	const char *key;
};

static enum stet_status
kept(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct keeping *k = arg;

	return stet_exec(
	    call, tx, "INSERT INTO elder_file (key, size) VALUES (?1, 4)", STET_ARGS(k->key));
}

static enum stet_status
keep(struct stet_call *call)
{
	const struct stet_part *const *part;
	struct stet_json *out = stet_reply(call);
	size_t count = stet_parts(call, &part);
	struct keeping k = { .key = stet_id(call) };

	stet_object(out, NULL);
	stet_put_str(out, "key", k.key);
	stet_array(out, "parts");
	for (size_t i = 0; i < count; i++)
		stet_put_str(out, NULL,
		    stet_printf(call, "%s: %s", part[i]->name,
			part[i]->value != NULL ? part[i]->value : part[i]->filename));
	stet_close(out);
	stet_close(out);
	for (size_t i = 0; i < count; i++)
		if (part[i]->path != NULL)
			return stet_file_keep(call, part[i], k.key, kept, &k);
	return stet_fail(call, STET_VALIDATION_ERROR, NULL, "no file among %zu parts", count);
}

static enum stet_status
put_row(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	stet_put_str(arg, NULL,
	    stet_printf(call, "%s/%s: %lld", row->module, row->key, (long long)*row->size));
	return STET_OK;
}

static enum stet_status
files_kept(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_array(out, NULL);
	STET_TRY(stet_file_each(call, "elder",
	    GUARDED(call, stet_file_column, .table = "elder_file", .key = "key", .size = "size"),
	    put_row, out));
	stet_close(out);
	return STET_OK;
}

/* ---- lists of members, of one's own and of others ---- */

static const struct stet_member inner[] = {
	{ "size", STET_INTEGER, STET_BOUNDED, STET_RANGE(1, 9) },
	{ "colour", STET_STRING, .about = "Which" },
	{ 0 },
};
static const struct stet_member outer[] = {
	{ "first", STET_OBJECT, STET_REQUIRED, .of = inner },
	{ "last", STET_ARRAY, .of = inner },
	{ 0 },
};

/* Returns the name of a member if it is at its place in the plugin's own arrays, whose elements are
 * shorter than the host's. */
static const char *
about(void *arg, const struct stet_member *m)
{
	*(int *)arg += 1;
	for (size_t i = 0; i < sizeof(outer) / sizeof(outer[0]); i++)
		if (m == &outer[i] || m == &inner[i])
			return m->name;
	return "a stranger";
}

static const char *
ref(void *arg, const struct stet_member *list)
{
	(void)arg;
	return list == inner ? "#/inner" : NULL;
}

static enum stet_status
schema(struct stet_call *call)
{
	int asked = 0;

	stet_object(stet_reply(call), NULL);
	stet_put_schema(stet_reply(call), "plain", outer);
	stet_put_schema_as(stet_reply(call), "styled", outer,
	    GUARDED(call, stet_schema_style, .about = about, .ref = ref, .arg = &asked));
	stet_check_shape(call, "given", outer, stet_arg_json(call, "given"));
	stet_put_int(stet_reply(call), "asked", asked);
	stet_close(stet_reply(call));
	return stet_issues(call);
}

static int64_t
count_members(const struct stet_member *list, int depth)
{
	int64_t n = 0;

	for (; depth < 6 && list != NULL && list->name != NULL; list++)
		n += 1 + (list->about != NULL && *list->about == '\0') +
		     count_members(list->of, depth + 1);
	return n;
}

static enum stet_status
put_names(struct stet_json *out, const char *key, const struct stet_member *list)
{
	stet_array(out, key);
	for (; list != NULL && list->name != NULL; list++)
		stet_put_str(out, NULL, list->name);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
ops_listed(struct stet_call *call)
{
	const struct stet_op_info *const *op;
	struct stet_json *out = stet_reply(call);
	size_t count = stet_ops(call, &op);
	int64_t members = 0;

	stet_object(out, NULL);
	for (size_t i = 0; i < count; i++) {
		members += count_members(op[i]->op->in, 0) + count_members(op[i]->op->out, 0);
		if (strcmp(op[i]->name, "elder__page") == 0)
			STET_TRY(put_names(out, "own", op[i]->op->in));
		if (strcmp(op[i]->name, "content_create") == 0)
			STET_TRY(put_names(out, "other", op[i]->op->in));
		if (strcmp(op[i]->name, "collection_create") == 0)
			stet_put_schema(out, "schema", op[i]->op->in);
	}
	stet_put_int(out, "count", (int64_t)count);
	stet_put_int(out, "members", members);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
modules(struct stet_call *call)
{
	const struct stet_module_info *const *info, *self;
	struct stet_json *out = stet_reply(call);
	struct stet_op row = { .name = NULL };
	size_t count;

	STET_TRY(stet_modules(call, &info, &count));
	STET_TRY(stet_module_find(call, "elder", &self));
	stet_object(out, NULL);
	stet_array(out, "names");
	for (size_t i = 0; i < count; i++)
		stet_put_str(out, NULL, info[i]->module->name);
	stet_close(out);
	for (uint32_t i = 0; i < self->module->ops.count; i++) {
		stet_table_row(&self->module->ops, i, &row, sizeof(row));
		if (strcmp(row.name, "page") == 0)
			STET_TRY(put_names(out, "own", row.in));
	}
	stet_put_bool(out, "enabled", self->enabled);
	stet_close(out);
	return STET_OK;
}

/* ---- kinds of transfers ---- */

static const struct stet_member moved[] = {
	{ "key", STET_STRING, STET_REQUIRED },
	{ "size", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};

static enum stet_status
kinds(struct stet_call *call, struct stet_table *out)
{
	struct stet_transfer *kind = guarded(call, 2 * sizeof(*kind));

	kind[0] = (struct stet_transfer){ .kind = "elder-files",
		.table = "elder_file",
		.row = moved,
		.key = "key",
		.name = "t.key" };
	kind[1] = (struct stet_transfer){ .kind = "elder-more",
		.table = "elder_file",
		.row = moved,
		.key = "key",
		.name = "t.key",
		.where = "1 = 0" };
	*out = (struct stet_table){ kind, 2, sizeof(*kind) };
	return STET_OK;
}

static const struct stet_transfer transfers[] = { { .kinds = kinds } };

/* ---- the descriptor ---- */

static enum stet_status
sizes(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_int(out, "stet_field", sizeof(struct stet_field));
	stet_put_int(out, "stet_member", sizeof(struct stet_member));
	stet_put_int(out, "stet_op", sizeof(struct stet_op));
	stet_put_int(out, "stet_fetch", sizeof(struct stet_fetch));
	stet_put_int(out, "stet_module", sizeof(struct stet_module));
	stet_close(out);
	return STET_OK;
}

static const struct stet_member collection_in[] = { { "collection", STET_STRING, STET_REQUIRED },
	{ 0 } };
static const struct stet_member name_in[] = { { "name", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member what_in[] = { { "what", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member url_in[] = { { "url", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member key_in[] = { { "key", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member id_in[] = { { "id", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member two_in[] = { { "one", STET_STRING, STET_REQUIRED },
	{ "two", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member given_in[] = { { "given", STET_ANY, STET_REQUIRED }, { 0 } };
static const struct stet_member page_in[] = {
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "How many", STET_RANGE(1, 100),
	    .fallback = "2" },
	{ "cursor", STET_STRING },
	{ 0 },
};

static enum stet_status
mend(struct stet_call *call)
{
	stet_put_str(stet_reply(call), NULL, "mended");
	return STET_OK;
}

#define READS(name_, in_, run_)                                                         \
	{                                                                               \
		.name = (name_), .title = (name_), .about = (name_), .lane = STET_READ, \
		.in = (in_), .run = (run_)                                              \
	}
#define WRITES(name_, in_, run_)                                                         \
	{                                                                                \
		.name = (name_), .title = (name_), .about = (name_), .lane = STET_WRITE, \
		.in = (in_), .run = (run_)                                               \
	}

/* The descriptor as elder's older headers define it: its ops end before `more`. */
#define STET_MENDS 0x40000000u

static const struct stet_op ops[] = {
	READS("sizes", NULL, sizes),
	READS("fields", collection_in, fields),
	READS("type", name_in, type),
	READS("page", page_in, page),
	READS("notes", NULL, notes),
	WRITES("write_note", what_in, write_note),
	READS("absence", NULL, absence),
	READS("become", NULL, become),
	{ .name = "fetch", .lane = STET_SLOW, .in = url_in, .run = fetch },
	{ .name = "file",
	    .route = "GET /files/:key",
	    .flags = STET_FILE,
	    .lane = STET_READ,
	    .in = key_in,
	    .run = file },
	{ .name = "keep",
	    .route = "POST /files",
	    .flags = STET_MULTIPART | STET_CREATED,
	    .lane = STET_SLOW,
	    .run = keep },
	READS("files_kept", NULL, files_kept),
	READS("schema", given_in, schema),
	READS("ops", NULL, ops_listed),
	READS("modules", NULL, modules),
	WRITES("import_comment", id_in, elder_import_comment),
	WRITES("person", NULL, elder_person),
	READS("credits", id_in, elder_credits),
	READS("terms", two_in, elder_terms),
	{ .name = "mend", .flags = STET_MENDS, .lane = STET_WRITE, .run = mend },
};
#define OPS (sizeof(ops) / sizeof(ops[0]))

/* The ops as elder's older headers define them: each ends before `more`. */
static _Alignas(struct stet_op) char short_ops[OPS][offsetof(struct stet_op, more)];

__attribute__((constructor)) static void
shorten_ops(void)
{
	for (size_t i = 0; i < OPS; i++)
		memcpy(short_ops[i], &ops[i], sizeof(short_ops[i]));
}

static const struct stet_setting_def settings[] = {
	{ { "shape", STET_OBJECT, .about = "An object of a shape", .of = outer } },
	{ { "greeting", STET_STRING, .about = "A text", .fallback = "\"good day\"" } },
};
static const struct stet_migration migrations[] = {
	{ 1, "notes",
	    "CREATE TABLE elder_note (id TEXT NOT NULL PRIMARY KEY, what TEXT NOT NULL);"
	    "CREATE TABLE elder_file (key TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL);",
	    NULL },
};
static const struct stet_permission permissions[] = { { "elder:look", 20 } };
static const struct stet_file_column files[] = {
	{ .table = "elder_file", .key = "key", .size = "size" },
};

STET_MODULE(elder) = {
	.magic = STET_MAGIC,
	.abi_major = STET_ABI_MAJOR,
	.abi_minor = STET_ABI_MINOR,
	.size = offsetof(struct stet_module, includes),
	.abi_note = STET_ABI_NOTE,
	.name = "elder",
	.member_size = sizeof(struct stet_member),
	.version = "1.0",
	.summary = "A plugin whose structures are shorter than the host's",
	.ops = STET_TABLE(short_ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.field_types = STET_TABLE(field_types),
	.settings = STET_TABLE(settings),
	.transfers = STET_TABLE(transfers),
	.files = STET_TABLE(files),
};
