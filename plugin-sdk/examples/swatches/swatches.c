/* swatches - the colours of a house: a page where they are kept, and a field widget that offers
 * them. */
#include <stet/module.h>

#define COLOUR "^#[0-9a-f]{6}$"
#define MOST 200 /* colours */

static const struct stet_member colour[] = {
	{ "name", STET_STRING, STET_REQUIRED | STET_BOUNDED, .about = "As people call it",
	    STET_RANGE(1, 60) },
	{ "value", STET_STRING, STET_REQUIRED, .about = "#rrggbb", .pattern = COLOUR },
	{ 0 },
};

static enum stet_status
list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT name, value FROM swatches_colour ORDER BY name LIMIT ?1", STET_ARGS(MOST)));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows))
		stet_put_row(out, &rows, colour);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
put_done(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "name", stet_arg(call, "name"));
	stet_close(out);
	return STET_OK;
}

static enum stet_status
put(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	const char *name = stet_arg(call, "name"), *value = stet_arg(call, "value");
	struct stet_rows rows;

	STET_TRY(stet_exec(call, tx, "UPDATE swatches_colour SET value = ?2 WHERE name = ?1",
	    STET_ARGS(name, value)));
	if (stet_changes(call) == 0) {
		STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
		    "SELECT COUNT(*) FROM swatches_colour", STET_NO_ARGS));
		if (stet_col_int(&rows, 0) >= MOST)
			return stet_fail(
			    call, STET_CONFLICT, "name", "There are %d colours already", MOST);
		STET_TRY(
		    stet_exec(call, tx, "INSERT INTO swatches_colour (name, value) VALUES (?1, ?2)",
			STET_ARGS(name, value)));
	}
	return put_done(call);
}

static enum stet_status
take_out(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call), "DELETE FROM swatches_colour WHERE name = ?1",
	    STET_ARGS(stet_arg(call, "name"))));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Colour not found");
	return put_done(call);
}

/* ---- tables ---- */

static const struct stet_member by_name[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the colour" },
	{ 0 },
};
static const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = colour },
	{ 0 },
};
static const struct stet_member done_out[] = { { "name", STET_STRING, STET_REQUIRED }, { 0 } };

static const struct stet_op ops[] = {
	{ "list", "List Colours", .about = "The colours of the house, by name.",
	    .route = "GET /colours", .flags = STET_TOOL | STET_IDEMPOTENT, .lane = STET_READ,
	    .permission = "swatches:read", .scope = "content:read", .out = list_out, .run = list },
	{ "put", "Keep Colour", .about = "Adds a colour, or gives it another value.",
	    .route = "PUT /colours/:name", .flags = STET_TOOL | STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "swatches:manage", .scope = "admin", .in = colour, .out = done_out,
	    .run = put },
	{ "remove", "Take Colour Out",
	    .about = "Removes a colour from the list. Items that have it keep it.",
	    .route = "DELETE /colours/:name", .flags = STET_TOOL | STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .permission = "swatches:manage", .scope = "admin", .in = by_name,
	    .out = done_out, .run = take_out },
};

static const struct stet_migration migrations[] = {
	{ 1, "colours",
	    "CREATE TABLE swatches_colour (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);" },
};

static const struct stet_permission permissions[] = {
	{ "swatches:read", 20 },
	{ "swatches:manage", 40 },
};

static const struct stet_transfer transfers[] = {
	{ .kind = "swatches",
	    .table = "swatches_colour",
	    .row = colour,
	    .key = "name",
	    .name = "'colours'",
	    .order = "t.name",
	    .many = true },
};

/* The files lie in swatches.pages, beside swatches.so. */
static const struct stet_admin_page pages[] = {
	{ "colours", "Colours", "colours.html", "swatches:manage" },
};
static const char *const texts[] = { "string", NULL };
static const struct stet_field_widget widgets[] = {
	{ "colour", "A colour of the house", "colour.html", texts },
	{ "sample", "Colour sample", "sample.html", .block = "colourSample" },
};

STET_MODULE(swatches) = {
	STET_MODULE_HEAD(swatches),
	.version = "1.0.0",
	.summary = "Colours of the house, for fields",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.transfers = STET_TABLE(transfers),
	.admin_pages = STET_TABLE(pages),
	.field_widgets = STET_TABLE(widgets),
};
