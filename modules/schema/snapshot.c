/*
 * snapshot.c - compiled definitions: immutable, and shared by all calls that see the same
 * schema. A snapshot is loaded from the database once and kept with a reference count.
 */
#include "blocktypes.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A snapshot fits a call if two numbers are equal: the schema's version in the call's own
 * transaction, and the call's generation, whose enabled modules bring the field types. A version
 * number is not used twice, not even after a rollback (snapshot_bump), so equal versions mean
 * equal definitions. Calls in the write lane may see changes that are never committed, so they
 * have a cached snapshot of their own. */
struct block {
	struct block *next;
	size_t used, size;
	_Alignas(16) char mem[];
};

struct snapshot {
	atomic_int refs;
	uint64_t version, generation;
	struct block *memory;
	struct stet_collection *collection; /* ordered by slug */
	const struct stet_collection **listed; /* in the order of lists */
	size_t count;
	struct stet_field *field;
	const struct stet_field **fields; /* each of them */
	size_t field_count;
	struct stet_field_type *type;
	size_t type_count;
	json_t **json;
	size_t json_count;
	struct blockset *blocks;
};

struct state {
	pthread_mutex_t lock;
	struct snapshot *committed, *writing;
	struct builder builder;
};
_Static_assert(sizeof(struct state) <= SCHEMA_STATE, "the descriptor says how large it is");

/* ---- memory ---- */

/* Returns zeroed memory. Ends the process if there is none, as all allocations do. */
static void *
pool_alloc(struct snapshot *s, size_t size)
{
	struct block *b = s->memory;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (b == NULL || b->size - b->used < size) {
		size_t room = size > 16384 ? size : 16384;

		if ((b = calloc(1, sizeof(*b) + room)) == NULL)
			stet_out_of_memory();
		b->size = room;
		b->next = s->memory;
		s->memory = b;
	}
	p = b->mem + b->used;
	b->used += size;
	return p;
}

static const char *
pool_text(struct snapshot *s, struct stet_rows *rows, int column)
{
	size_t len;
	const char *text;
	char *copy;

	if (stet_col_null(rows, column))
		return NULL;
	text = stet_col_text(rows, column, &len);
	copy = pool_alloc(s, len + 1);
	memcpy(copy, text, len);
	return copy;
}

static void
snapshot_put(void *arg)
{
	struct snapshot *s = arg;
	struct block *next;

	if (atomic_fetch_sub(&s->refs, 1) != 1)
		return;
	for (size_t i = 0; i < s->json_count; i++)
		json_decref(s->json[i]);
	blockset_free(s->blocks);
	for (struct block *b = s->memory; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	free(s);
}

enum stet_status
snapshot_open(struct stet_call *call, void *arg)
{
	struct state *state = arg;

	if (pthread_mutex_init(&state->lock, NULL) != 0)
		return stet_fault(call, "cannot make the lock of the schema");
	return STET_OK;
}

void
snapshot_close(void *arg)
{
	struct state *state = arg;

	stet_index_drop(state->builder.at);
	if (state->committed != NULL)
		snapshot_put(state->committed);
	if (state->writing != NULL)
		snapshot_put(state->writing);
	pthread_mutex_destroy(&state->lock);
}

struct builder *
snapshot_builder(void *arg)
{
	return &((struct state *)arg)->builder;
}

/* ---- loading ---- */

/* Numbers of JSON columns of a collection and of a field; each group begins at `column`. */
#define COLLECTION_JSON 4
#define FIELD_JSON 3

static enum stet_status
load_json(struct stet_call *call, struct snapshot *s, struct stet_rows *rows, int column,
    const json_t **out)
{
	json_t *value;
	const char *text;
	size_t len;

	*out = NULL;
	if (stet_col_null(rows, column))
		return STET_OK;
	text = stet_col_text(rows, column, &len);
	if ((value = json_loadb(text, len, JSON_DECODE_ANY, NULL)) == NULL)
		return stet_fault(call, "the registry of the schema holds broken JSON");
	s->json[s->json_count++] = value;
	*out = value;
	return STET_OK;
}

static bool
supports(const struct stet_collection *c, const char *what)
{
	size_t n = json_array_size(c->supports);

	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(c->supports, i));

		if (s != NULL && strcmp(s, what) == 0)
			return true;
	}
	return false;
}

static enum stet_status
wake(struct stet_call *call, void *arg)
{
	(void)arg;
	stet_job_wake(call, SCHEMA_JOB);
	return STET_OK;
}

/* Wakes the job once: definitions are read again with each change of them. Whoever asks for one is
 * often another module. */
static void
note_building(struct stet_call *call, bool any)
{
	struct builder *b = snapshot_builder(stet_state_of(call, "schema"));

	if (any && !atomic_exchange(&b->found, true) &&
	    stet_as_service(call, STET_SCHEMA_1, wake, NULL) != STET_OK)
		stet_error_clear(call);
}

static enum stet_status
load_collection(
    struct stet_call *call, struct snapshot *s, struct stet_rows *rows, struct stet_collection *c)
{
	c->id = pool_text(s, rows, 0);
	c->slug = pool_text(s, rows, 1);
	c->label = pool_text(s, rows, 2);
	c->label_singular = pool_text(s, rows, 3);
	c->description = pool_text(s, rows, 4);
	c->icon = pool_text(s, rows, 5);
	c->source = pool_text(s, rows, 6);
	c->title_field = pool_text(s, rows, 7);
	c->date_field = pool_text(s, rows, 8);
	c->url_pattern = pool_text(s, rows, 9);
	c->has_seo = stet_col_int(rows, 10) != 0;
	c->routable = stet_col_int(rows, 11) != 0;
	c->hidden = stet_col_int(rows, 12) != 0;
	c->sort_order = stet_col_null(rows, 13) ? INT64_MIN : stet_col_int(rows, 13);
	c->comments_enabled = stet_col_int(rows, 14) != 0;
	c->comments_moderation = pool_text(s, rows, 15);
	c->comments_closed_after_days = stet_col_int(rows, 16);
	c->comments_auto_approve_users = stet_col_int(rows, 17) != 0;
	c->created_at = pool_text(s, rows, 18);
	c->updated_at = pool_text(s, rows, 19);
	STET_TRY(load_json(call, s, rows, 20, &c->supports));
	STET_TRY(load_json(call, s, rows, 21, &c->admin));
	STET_TRY(load_json(call, s, rows, 22, &c->indexes));
	c->public_read = stet_col_int(rows, 23) != 0;
	STET_TRY(load_json(call, s, rows, 24, &c->building));
	c->required_on_publish = strcmp(stet_col_str(rows, 25), "publish") == 0;
	STET_TRY(load_json(call, s, rows, 26, &c->url_patterns));
	note_building(call, c->building != NULL);
	c->drafts = supports(c, "drafts");
	c->revisions = supports(c, "revisions");
	c->preview = supports(c, "preview");
	c->scheduling = supports(c, "scheduling");
	c->search = supports(c, "search");
	c->version = s->version;
	return STET_OK;
}

static enum stet_status
load_collections(struct stet_call *call, struct snapshot *s)
{
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, slug, label, label_singular, description, icon, source, title_field, "
	    "date_field, url_pattern, has_seo, routable, hidden, sort_order, comments_enabled, "
	    "comments_moderation, comments_closed_after_days, comments_auto_approve_users, "
	    "created_at, updated_at, supports, admin, indexes, public_read, building, "
	    "required_on, url_patterns FROM collection",
	    STET_NO_ARGS));
	while (n < s->count && stet_row(&rows)) {
		enum stet_status status = load_collection(call, s, &rows, &s->collection[n++]);

		if (status != STET_OK) {
			(void)!stet_rows_end(&rows);
			return status;
		}
	}
	s->count = n;
	return stet_rows_end(&rows);
}

/* ---- loading fields ---- */

static enum stet_storage
storage_named(const char *name)
{
	return strcmp(name, "REAL") == 0      ? STET_STORE_REAL
	       : strcmp(name, "INTEGER") == 0 ? STET_STORE_INTEGER
	       : strcmp(name, "JSON") == 0    ? STET_STORE_JSON
					      : STET_STORE_TEXT;
}

/* The type of the row's field; the snapshot has its own copy. */
static const struct stet_field_type *
load_type(struct stet_call *call, struct snapshot *s, struct stet_rows *rows)
{
	const char *name = stet_col_str(rows, 4);
	struct stet_field_type *type;

	for (size_t i = 0; i < s->type_count; i++)
		if (strcmp(s->type[i].name, name) == 0)
			return &s->type[i];
	type = &s->type[s->type_count++];
	if (!stet_field_type(call, name, type))
		*type = (struct stet_field_type){ .name = pool_text(s, rows, 4),
			.storage = storage_named(stet_col_str(rows, 5)),
			.type_name = "unknown",
			.json_text = stet_col_int(rows, 6) != 0,
			.check = check_missing };
	return type;
}

bool
snapshot_sorts(const struct stet_collection *c, const struct stet_field *f)
{
	if (f->json_text)
		return false;
	if (f->indexed)
		return true;
	if (strcmp(f->type->name, "string") == 0 &&
	    (strcmp(f->slug, "title") == 0 || strcmp(f->slug, "name") == 0))
		return true;
	return (c->title_field != NULL && strcmp(c->title_field, f->slug) == 0) ||
	       (c->date_field != NULL && strcmp(c->date_field, f->slug) == 0);
}

static enum stet_status
load_field(struct stet_call *call, struct snapshot *s, struct stet_rows *rows,
    const struct stet_collection *c, struct stet_field *f)
{
	f->id = pool_text(s, rows, 1);
	f->slug = pool_text(s, rows, 2);
	f->label = pool_text(s, rows, 3);
	f->type = load_type(call, s, rows);
	f->json_text = stet_col_int(rows, 6) != 0;
	f->required = stet_col_int(rows, 7) != 0;
	f->unique = stet_col_int(rows, 8) != 0;
	f->indexed = stet_col_int(rows, 9) != 0;
	f->searchable = stet_col_int(rows, 10) != 0;
	f->translatable = stet_col_int(rows, 11) != 0;
	f->sort_order = stet_col_int(rows, 12);
	f->widget = pool_text(s, rows, 13);
	f->created_at = pool_text(s, rows, 14);
	STET_TRY(load_json(call, s, rows, 15, &f->default_value));
	STET_TRY(load_json(call, s, rows, 16, &f->validation));
	STET_TRY(load_json(call, s, rows, 17, &f->options));
	f->building = (uint32_t)stet_col_int(rows, 18);
	f->sortable = snapshot_sorts(c, f) && (f->building & STET_BUILDING_ORDER) == 0;
	note_building(call, f->building != 0);
	return STET_OK;
}

static int
by_slug(const void *slug, const void *collection)
{
	return strcmp(slug, ((const struct stet_collection *)collection)->slug);
}

/* Reads all fields; rows are grouped by collection. */
static enum stet_status
load_fields(struct stet_call *call, struct snapshot *s)
{
	struct stet_collection *c = NULL;
	enum stet_status status = STET_OK;
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT c.slug, f.id, f.slug, f.label, f.type, f.storage, f.json_text, f.required, "
	    "f.is_unique, f.indexed, f.searchable, f.translatable, f.sort_order, f.widget, "
	    "f.created_at, f.default_value, f.validation, f.options, f.building "
	    "FROM collection c JOIN field f ON f.collection_id = c.id "
	    "ORDER BY c.slug, f.sort_order, f.id",
	    STET_NO_ARGS));
	while (status == STET_OK && n < s->field_count && stet_row(&rows)) {
		const char *slug = stet_col_str(&rows, 0);

		if (c == NULL || strcmp(c->slug, slug) != 0)
			c = bsearch(slug, s->collection, s->count, sizeof(*c), by_slug);
		if (c == NULL)
			break;
		if (c->field_count == 0)
			c->fields = &s->fields[n];
		s->fields[n] = &s->field[n];
		s->field[n].position = c->field_count++;
		status = load_field(call, s, &rows, c, &s->field[n++]);
	}
	if (status != STET_OK) {
		(void)!stet_rows_end(&rows);
		return status;
	}
	return stet_rows_end(&rows);
}

static int
by_byte(const void *a, const void *b)
{
	return strcmp(
	    ((const struct stet_collection *)a)->slug, ((const struct stet_collection *)b)->slug);
}

static int
by_place(const void *a, const void *b)
{
	const struct stet_collection *x = *(const struct stet_collection *const *)a;
	const struct stet_collection *y = *(const struct stet_collection *const *)b;
	bool placed_x = x->sort_order != INT64_MIN, placed_y = y->sort_order != INT64_MIN;

	if (placed_x != placed_y)
		return placed_x ? -1 : 1;
	if (placed_x && x->sort_order != y->sort_order)
		return x->sort_order < y->sort_order ? -1 : 1;
	return strcmp(x->slug, y->slug);
}

static enum stet_status
load(struct stet_call *call, uint64_t version, struct snapshot **out)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct stet_rows rows;

	if (s == NULL)
		stet_out_of_memory();
	atomic_init(&s->refs, 1);
	stet_defer(call, snapshot_put, s);
	s->version = version;
	s->generation = stet_generation(call);
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT (SELECT count(*) FROM collection), (SELECT count(*) FROM field)",
	    STET_NO_ARGS));
	s->count = (size_t)stet_col_int(&rows, 0);
	s->field_count = (size_t)stet_col_int(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	s->collection = pool_alloc(s, s->count * sizeof(*s->collection));
	s->listed = pool_alloc(s, s->count * sizeof(*s->listed));
	s->field = pool_alloc(s, s->field_count * sizeof(*s->field));
	s->fields = pool_alloc(s, s->field_count * sizeof(struct stet_field *));
	s->type = pool_alloc(s, s->field_count * sizeof(*s->type));
	s->json = pool_alloc(
	    s, (s->count * COLLECTION_JSON + s->field_count * FIELD_JSON) * sizeof(*s->json));
	STET_TRY(load_collections(call, s));
	if (s->count > 1) /* by bytes, whatever the collation of the database */
		qsort(s->collection, s->count, sizeof(*s->collection), by_byte);
	STET_TRY(load_fields(call, s));
	STET_TRY(blockset_load(call, &s->blocks));
	for (size_t i = 0; i < s->count; i++)
		s->listed[i] = &s->collection[i];
	if (s->count > 1)
		qsort(s->listed, s->count, sizeof(*s->listed), by_place);
	*out = s;
	return STET_OK;
}

/* ---- sharing ---- */

static struct snapshot *
take(struct state *state, bool writing, uint64_t version, uint64_t generation)
{
	struct snapshot *s;

	pthread_mutex_lock(&state->lock);
	s = writing ? state->writing : state->committed;
	if (s != NULL && s->version == version && s->generation == generation)
		atomic_fetch_add(&s->refs, 1);
	else
		s = NULL;
	pthread_mutex_unlock(&state->lock);
	return s;
}

/* Returns true if `a` is newer: a call that began long ago must not replace the snapshot that newer
 * calls use. */
static bool
is_newer(const struct snapshot *a, const struct snapshot *b)
{
	return a->version != b->version ? a->version > b->version : a->generation > b->generation;
}

static void
publish(struct state *state, bool writing, struct snapshot *s)
{
	struct snapshot **slot = writing ? &state->writing : &state->committed, *old = NULL;

	pthread_mutex_lock(&state->lock);
	if (*slot == NULL || writing || is_newer(s, *slot)) {
		old = *slot;
		*slot = s;
		atomic_fetch_add(&s->refs, 1);
	}
	pthread_mutex_unlock(&state->lock);
	if (old != NULL)
		snapshot_put(old);
}

static void
hold(struct stet_call *call, struct snapshot *s)
{
	atomic_fetch_add(&s->refs, 1);
	stet_defer(call, snapshot_put, s);
}

/* Keeps the snapshot for later calls that read the same data. */
static void
remember(struct stet_call *call, void **slot, struct snapshot *s)
{
	if (slot == NULL)
		return;
	*slot = s;
	atomic_fetch_add(&s->refs, 1);
	stet_snapshot_defer(call, snapshot_put, s);
}

/* The version in the call's transaction. Calls that share a write transaction read it once. */
static enum stet_status
read_version(struct stet_call *call, uint64_t *out)
{
	static const char key;
	void **slot = stet_tx_slot(call, &key, "schema_state");
	struct stet_rows rows;
	uint64_t *kept;

	if (slot != NULL && *slot != NULL) {
		*out = *(uint64_t *)*slot;
		return STET_OK;
	}
	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT version FROM schema_state WHERE one = 1",
	    STET_NO_ARGS));
	*out = (uint64_t)stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (slot != NULL) {
		*slot = kept = stet_tx_alloc(call, sizeof(*kept));
		*kept = *out;
	}
	return STET_OK;
}

enum stet_status
snapshot_get(struct stet_call *call, const struct snapshot **out)
{
	static const char key;
	void **slot = stet_snapshot_slot(call, &key);
	struct state *state = stet_state_of(call, "schema");
	bool writing = stet_writing(call);
	struct snapshot *s;
	uint64_t version;

	if (slot != NULL && (s = *slot) != NULL && s->generation == stet_generation(call)) {
		hold(call, s);
		*out = s;
		return STET_OK;
	}
	STET_TRY(read_version(call, &version));
	s = take(state, writing, version, stet_generation(call));
	if (s != NULL)
		stet_defer(call, snapshot_put, s);
	else {
		STET_TRY(load(call, version, &s));
		publish(state, writing, s);
	}
	remember(call, slot, s);
	*out = s;
	return STET_OK;
}

/* Increases the version by a random number, so that a version that was rolled back is not used
 * again. Otherwise a snapshot loaded under that version could be mistaken for a committed one. */
enum stet_status
snapshot_bump(struct stet_call *call, struct stet_tx *tx)
{
	const char *id = stet_id(call);
	uint32_t step = 2166136261U; /* FNV-1a over the new id */

	for (; *id != '\0'; id++)
		step = (step ^ (unsigned char)*id) * 16777619U;
	return stet_exec(call, tx,
	    "UPDATE schema_state SET version = version + 1 + ?1 WHERE one = 1",
	    STET_ARGS((long long)step));
}

/* ---- looking up ---- */

const struct stet_collection *
snapshot_find(const struct snapshot *s, const char *slug)
{
	if (s->count == 0)
		return NULL;
	return bsearch(slug, s->collection, s->count, sizeof(*s->collection), by_slug);
}

const struct stet_collection *const *
snapshot_list(const struct snapshot *s, size_t *count)
{
	*count = s->count;
	return s->listed;
}

enum stet_status
snapshot_blocks(struct stet_call *call, const struct blockset **out)
{
	const struct snapshot *s;

	STET_TRY(snapshot_get(call, &s));
	*out = s->blocks;
	return STET_OK;
}

enum stet_status
collection_find(struct stet_call *call, const char *slug, enum stet_status missing,
    const struct stet_collection **out)
{
	const struct snapshot *s;

	STET_TRY(snapshot_get(call, &s));
	if ((*out = snapshot_find(s, slug)) == NULL)
		return stet_fail(call, missing, NULL, "Collection \"%s\" not found", slug);
	return STET_OK;
}
