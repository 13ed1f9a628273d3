/*
 * forms.c - field types and importers of modules, bundled or not, with what the admin pages need to
 * show a form for each. All comes from the rows that the modules declare; a plugin's type or
 * importer needs no line in the pages.
 */
#include "forms.h"
#include "pages.h"
#include <stet/importer.h>
#include <string.h>

static const struct stet_member type_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED, "For people; the name, if the type has no label" },
	{ "description", STET_STRING },
	{ "plugin", STET_STRING, .about = "That brings it; absent: it came with stet" },
	{ "kind", STET_STRING, STET_REQUIRED, "What its values are; json: all else",
	    STET_CHOICES("string", "number", "integer", "boolean", "json") },
	{ "indexable", STET_BOOLEAN, STET_REQUIRED, "Fields of it may be `indexed`" },
	{ "searchable", STET_BOOLEAN, STET_REQUIRED, "Its values have words to search for" },
	{ "unique", STET_BOOLEAN, STET_REQUIRED, "Fields of it may be `unique`" },
	{ "validation", STET_OBJECT,
	    .about = "JSON Schema of a field's `validation`; absent: no form" },
	{ "options", STET_OBJECT, .about = "JSON Schema of a field's `options`; absent: no form" },
	{ 0 },
};
static const struct stet_member importer_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED, "`format` of an import" },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "plugin", STET_STRING, .about = "That brings it; absent: it came with stet" },
	{ "files", STET_ARRAY, .about = "Endings and media types of its files; absent: any",
	    .item = STET_STRING },
	{ "options", STET_OBJECT, .about = "JSON Schema of its `options`; absent: no form" },
	{ 0 },
};
const struct stet_member manifest_types_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = type_shape },
	{ 0 },
};
const struct stet_member manifest_importers_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = importer_shape },
	{ 0 },
};

/* ---- kinds of values ---- */

static const char *
kind(const struct stet_field_type *type, bool json_text)
{
	static const char *const kinds[] = { [STET_STORE_TEXT] = "string",
		[STET_STORE_REAL] = "number",
		[STET_STORE_INTEGER] = "integer",
		[STET_STORE_JSON] = "json",
		[STET_STORE_BOOLEAN] = "boolean" };

	return json_text ? "json" : kinds[type->storage];
}

const char *
kind_of_type(const struct stet_field_type *type)
{
	return kind(type, type->json_text);
}

const char *
kind_of_field(const struct stet_field *f)
{
	return kind(f->type, f->json_text);
}

/* ---- rows ---- */

/* Begins the object of a row with what types and importers share. */
static void
begin(struct stet_json *out, const struct stet_module_info *from, const char *name,
    const char *label, const char *about)
{
	stet_object(out, NULL);
	stet_put_str(out, "name", name);
	stet_put_str(out, "label", label != NULL ? label : name);
	if (about != NULL)
		stet_put_str(out, "description", about);
	if (!from->bundled)
		stet_put_str(out, "plugin", from->module->name);
}

static void
put_form(struct stet_json *out, const char *name, const struct stet_member *members)
{
	if (members != NULL)
		stet_put_schema(out, name, members);
}

static void
put_types(struct stet_json *out, const struct stet_module_info *from)
{
	const struct stet_table *table = &from->module->field_types;

	for (uint32_t i = 0; i < table->count; i++) {
		struct stet_field_type row;

		stet_table_row(table, i, &row, sizeof(row));
		begin(out, from, row.name, row.label, row.about);
		stet_put_str(out, "kind", kind_of_type(&row));
		stet_put_bool(out, "indexable", (row.flags & STET_INDEXABLE) != 0);
		stet_put_bool(out, "searchable", (row.flags & STET_SEARCHABLE) != 0);
		stet_put_bool(out, "unique", !row.json_text);
		put_form(out, "validation", row.validation);
		put_form(out, "options", row.options);
		stet_close(out);
	}
}

static void
put_importers(struct stet_json *out, const struct stet_module_info *from)
{
	const struct stet_table *table = &from->module->importers;

	for (uint32_t i = 0; i < table->count; i++) {
		struct stet_importer row;

		stet_table_row(table, i, &row, sizeof(row));
		begin(out, from, row.name, row.label, row.about);
		if (row.files != NULL) {
			stet_array(out, "files");
			for (size_t k = 0; row.files[k] != NULL; k++)
				stet_put_str(out, NULL, row.files[k]);
			stet_close(out);
		}
		put_form(out, "options", row.options);
		stet_close(out);
	}
}

/* Writes {items: [...]} with what `put` writes of each module in use. */
static enum stet_status
put_all(struct stet_call *call, void (*put)(struct stet_json *, const struct stet_module_info *))
{
	const struct stet_module_info *const *all;
	struct stet_json *out = stet_reply(call);
	size_t count;

	STET_TRY(stet_modules(call, &all, &count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < count; i++)
		if (module_works(all[i]))
			put(out, all[i]);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- the ops ---- */

enum stet_status
manifest_field_types(struct stet_call *call)
{
	return put_all(call, put_types);
}

enum stet_status
manifest_importers(struct stet_call *call)
{
	STET_TRY(stet_require(call, "import:execute"));
	return put_all(call, put_importers);
}
