/* export.c - all definitions at once, as JSON or as TypeScript. */
#include "schema.h"
#include <ctype.h>
#include <sodium.h>
#include <string.h>

/* ---- JSON ---- */

static void
put_plain_field(struct stet_json *j, const struct stet_field *f)
{
	stet_object(j, NULL);
	stet_put_str(j, "slug", f->slug);
	stet_put_str(j, "label", f->label);
	stet_put_str(j, "type", f->type->name);
	stet_put_bool(j, "required", f->required);
	stet_put_bool(j, "unique", f->unique);
	put_set_json(j, "defaultValue", f->default_value);
	put_set_json(j, "validation", f->validation);
	put_set(j, "widget", f->widget);
	put_set_json(j, "options", f->options);
	stet_close(j);
}

static void
put_plain_collection(struct stet_json *j, const struct stet_collection *c)
{
	stet_object(j, NULL);
	stet_put_str(j, "slug", c->slug);
	stet_put_str(j, "label", c->label);
	put_set(j, "labelSingular", c->label_singular);
	put_set(j, "description", c->description);
	put_set(j, "icon", c->icon);
	stet_put_json(j, "supports", c->supports);
	stet_put_bool(j, "hidden", c->hidden);
	if (c->sort_order != INT64_MIN)
		stet_put_int(j, "sortOrder", c->sort_order);
	stet_array(j, "fields");
	for (size_t i = 0; i < c->field_count; i++)
		put_plain_field(j, &c->fields[i]);
	stet_close(j);
	stet_close(j);
}

/* The first 16 hexadecimal digits of the SHA-256 of {"collections":…}. */
static const char *
hash(struct stet_call *call, const char *collections, size_t len)
{
	static const char head[] = "{\"collections\":";
	unsigned char sum[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state;
	char *text = stet_alloc(call, 17);

	crypto_hash_sha256_init(&state);
	crypto_hash_sha256_update(&state, (const unsigned char *)head, sizeof(head) - 1);
	crypto_hash_sha256_update(&state, (const unsigned char *)collections, len);
	crypto_hash_sha256_update(&state, (const unsigned char *)"}", 1);
	crypto_hash_sha256_final(&state, sum);
	return sodium_bin2hex(text, 17, sum, 8);
}

/* The version is told with both forms, so that a client can ask before it writes types anew. */
static const char *
collections_json(
    struct stet_call *call, const struct snapshot *schema, size_t *len, const char **version)
{
	struct stet_json *j = stet_json_new(call);
	const struct stet_collection *const *list;
	const char *text;
	size_t n;

	list = snapshot_list(schema, &n);
	stet_array(j, NULL);
	for (size_t i = 0; i < n; i++)
		put_plain_collection(j, list[i]);
	stet_close(j);
	text = stet_json_text(j, len);
	*version = hash(call, text, *len);
	stet_header(call, "X-Schema-Version", *version);
	return text;
}

/* ---- TypeScript ---- */

static bool
ends(const char *s, size_t len, const char *tail)
{
	size_t n = strlen(tail);

	return len >= n && memcmp(s + len - n, tail, n) == 0;
}

/* "categories" is "category", "boxes" is "box", "posts" is "post", "glass" stays. */
static char *
singular(struct stet_call *call, const char *slug)
{
	size_t len = strlen(slug);

	if (ends(slug, len, "ies"))
		return stet_printf(call, "%.*sy", (int)len - 3, slug);
	if (ends(slug, len, "sses") || ends(slug, len, "xes") || ends(slug, len, "ches") ||
	    ends(slug, len, "shes"))
		return stet_strndup(call, slug, len - 2);
	if (ends(slug, len, "s") && !ends(slug, len, "ss"))
		return stet_strndup(call, slug, len - 1);
	return stet_strdup(call, slug);
}

/* "blog_post" is "BlogPost". */
static char *
pascal(struct stet_call *call, const char *slug)
{
	char *out = stet_alloc(call, strlen(slug) + 1), *p = out;
	bool first = true;

	for (; *slug != '\0'; slug++) {
		if (*slug == '_') {
			first = true;
			continue;
		}
		*p++ =
		    (char)(first ? toupper((unsigned char)*slug) : tolower((unsigned char)*slug));
		first = false;
	}
	return out;
}

/* A name that none of the first `n` has: the smallest number from 2 on makes it so. */
static const char *
free_name(struct stet_call *call, const char *base, const char *const *names, size_t n)
{
	const char *name = base;

	for (unsigned suffix = 2;; suffix++) {
		size_t i = 0;

		while (i < n && strcmp(names[i], name) != 0)
			i++;
		if (i == n)
			return name;
		name = stet_printf(call, "%s%u", base, suffix);
	}
}

static enum stet_status
put(struct stet_call *call, const char *text)
{
	return stet_write(call, text, strlen(text));
}

static enum stet_status
write_interface(struct stet_call *call, const struct stet_collection *c, const char *name)
{
	STET_TRY(put(call, stet_printf(call, "export interface %s {\n", name)));
	STET_TRY(put(call, "  id: string;\n  slug: string | null;\n  status: string;\n"));
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = &c->fields[i];
		const char *type =
		    f->type->typescript != NULL ? f->type->typescript(call, f) : f->type->type_name;

		STET_TRY(put(call,
		    stet_printf(call, "  %s%s: %s;\n", f->slug, f->required ? "" : "?", type)));
	}
	return put(call,
	    "  createdAt: Date;\n  updatedAt: Date;\n  publishedAt: Date | null;\n"
	    "  bylines?: ContentBylineCredit[];\n  terms?: Record<string, TaxonomyTerm[]>;\n}");
}

static enum stet_status
write_typescript(struct stet_call *call, const struct snapshot *schema)
{
	const struct stet_collection *const *list;
	const char **names;
	size_t n;

	list = snapshot_list(schema, &n);
	names = stet_alloc(call, (n + 1) * sizeof(*names));
	stet_reply_type(call, "text/typescript");
	STET_TRY(put(call, "// Generated by stet\n"
			   "// Do not edit: GET /_cms/api/schema?format=typescript writes it\n\n"));
	for (size_t i = 0; i < n; i++) {
		const char *base = pascal(call, singular(call, list[i]->slug));

		names[i] = free_name(call, base, names, i);
		STET_TRY(put(call, i == 0 ? "\n" : "\n\n"));
		STET_TRY(write_interface(call, list[i], names[i]));
	}
	return STET_OK;
}

/* ---- the route ---- */

static bool
wants_typescript(struct stet_call *call)
{
	const char *format = stet_arg(call, "format"), *accept;

	if (format != NULL)
		return strcmp(format, "typescript") == 0;
	accept = stet_request_header(call, "accept");
	return accept != NULL && strstr(accept, "text/typescript") != NULL;
}

enum stet_status
schema_export(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct snapshot *schema;
	const char *text, *version;
	size_t len;

	STET_TRY(snapshot_get(call, &schema));
	text = collections_json(call, schema, &len, &version);
	if (wants_typescript(call))
		return write_typescript(call, schema);
	stet_object(out, NULL);
	stet_put_raw(out, "collections", text, len);
	stet_put_str(out, "version", version);
	stet_close(out);
	return STET_OK;
}
