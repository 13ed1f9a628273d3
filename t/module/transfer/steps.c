/* steps.c - random changes of everything that an export contains. */
#include "inside.h"
#include "state.h"
#include <stdio.h>

static const char *const locales[] = { "en", "fr", "de", NULL };
static int uploads;

/* Sends a request with a body; printf-like, with ' for ". */
#define SEND(request_, ...)                                       \
	do {                                                      \
		char r_[200];                                     \
		(void)snprintf(r_, sizeof(r_), "%s", (request_)); \
		o = say(world.site, admin, r_, __VA_ARGS__);      \
	} while (0)

/* Returns a path; printf-like. Static buffer. */
static STET_FMT(1, 2) const char *path(const char *fmt, ...)
{
	static char out[200];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(out, sizeof(out), fmt, ap);
	va_end(ap);
	return out;
}

/* Returns a remembered item: "aa/01..." */
static const char *
an_item(void)
{
	static char out[40];
	int i = chosen(SLOTS);

	(void)snprintf(out, sizeof(out), "%s/%s",
	    world.collection[i][0] != '\0' ? world.collection[i] : "aa", world.id[ITEM][i]);
	return out;
}

/* ---- content ---- */

static void
remember_item(struct outcome *o, const char *collection)
{
	int i;

	remember(ITEM, o);
	for (i = 0; i < SLOTS; i++)
		if (strcmp(world.id[ITEM][i], harness_text(o->data, "item.id")) == 0)
			(void)snprintf(
			    world.collection[i], sizeof(world.collection[i]), "%s", collection);
}

static bool
step_create(void)
{
	const char *c = one_of(collections);
	struct outcome *o;

	SEND(path("POST /content/%s", c), "{'slug':'%s','locale':'%s','status':'%s','data':%s}",
	    a_slug(), one_of(locales), chosen(2) == 0 ? "draft" : "published", some_values(c));
	remember_item(o, c);
	return went(o);
}

static bool
step_translate(void)
{
	int i = chosen(SLOTS);
	char c[8];
	struct outcome *o;

	(void)snprintf(c, sizeof(c), "%s", world.collection[i]);
	SEND(path("POST /content/%s", *c != '\0' ? c : "aa"),
	    "{'locale':'%s','translationOf':'%s','data':%s}", one_of(locales), world.id[ITEM][i],
	    some_values(c));
	remember_item(o, c);
	return went(o);
}

static bool
step_update(void)
{
	const char *item = an_item();
	struct outcome *o;
	char c[3];

	(void)snprintf(c, sizeof(c), "%.2s", item);
	SEND(path("PUT /content/%s", item), "{'data':%s%s}", some_values(c),
	    chosen(3) == 0 ? ",'status':'published'" : "");
	return went(o);
}

static bool
step_slug(void)
{
	struct outcome *o;

	SEND(path("PUT /content/%s", an_item()), "{'slug':'%s'}", a_slug());
	return went(o);
}

/* Sets a slug that only earlier versions accepted. */
static bool
step_old_slug(void)
{
	static const char *const slugs[] = { "a/b", "a//b", "/", "a/b/c/d/e/f/g/h/i/j/k", "..", " ",
		"a/b.json/c", NULL };
	int i = chosen(SLOTS);
	char sql[400];
	const char *slug;

	if (world.collection[i][0] == '\0' ||
	    ask(world.site, admin, "GET /schema/collections/%s", world.collection[i])->http != 200)
		return false;
	slug = chosen(4) == 0 ? an_id(ITEM) : one_of(slugs);
	(void)snprintf(sql, sizeof(sql),
	    "UPDATE c_%s SET slug = '%s' WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM c_%s AS o"
	    " WHERE o.slug = '%s' AND o.locale = c_%s.locale)",
	    world.collection[i], slug, world.collection[i], slug, world.collection[i]);
	inside_sql(world.site, sql, world.id[ITEM][i]);
	return true;
}

static bool
step_seo(void)
{
	struct outcome *o;

	SEND(path("PUT /content/%s", an_item()),
	    "{'seo':{'title':'S','image':'%s','canonical':'https://example.org/%d'}}", an_id(MEDIA),
	    chosen(9));
	return went(o);
}

static bool
step_credit(void)
{
	struct outcome *o;

	SEND(path("PUT /content/%s", an_item()), "{'bylines':[{'bylineId':'%s','roleLabel':'R'}]}",
	    an_id(BYLINE));
	return went(o);
}

static bool
step_act(void)
{
	static const char *const acts[] = { "POST /content/%s/publish",
		"POST /content/%s/unpublish", "POST /content/%s/discard-draft",
		"POST /content/%s/restore", "DELETE /content/%s", "DELETE /content/%s",
		"DELETE /content/%s/permanent", "POST /content/%s/duplicate",
		"DELETE /content/%s/schedule", NULL };
	const char *item = an_item();

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return went(ask(world.site, admin, one_of(acts), item));
#pragma GCC diagnostic pop
}

static bool
step_schedule(void)
{
	struct outcome *o;

	SEND(path("POST /content/%s/schedule", an_item()),
	    "{'scheduledAt':'2026-0%d-01T00:00:00.000Z'}", 7 + chosen(3));
	return went(o);
}

static bool
step_revision(void)
{
	struct outcome *o = ask(world.site, admin, "GET /content/%s/revisions", an_item());
	json_t *list = harness_at(o->data, "items");
	char revision[27];

	if (json_array_size(list) == 0)
		return went(o);
	(void)snprintf(revision, sizeof(revision), "%s",
	    harness_text(json_array_get(list, (size_t)chosen((int)json_array_size(list))), "id"));
	return went(ask(world.site, admin, "POST /revisions/%s/restore", revision));
}

static bool
step_comment(void)
{
	struct outcome *o;

	o = say(world.site, nobody, path("POST /comments/%s", an_item()),
	    "{'authorName':'A','authorEmail':'a@example.org','body':'B'}");
	return went(o);
}

/* ---- definitions ---- */

static bool
step_collection(void)
{
	static const char *const supports[] = { "", "'drafts'", "'drafts','revisions','scheduling'",
		"'drafts','revisions','seo','preview','search'", NULL };
	static const char *const moments[] = { "", ",'requiredOn':'publish'",
		",'requiredOn':'publish'", ",'requiredOn':'save'", NULL };
	const char *c = one_of(collections);
	struct outcome *o;

	if (ask(world.site, admin, "GET /schema/collections/%s", c)->http == 200) {
		SEND(path("PUT /schema/collections/%s", c),
		    "{'supports':[%s],'titleField':%s,'commentsEnabled':true%s}", one_of(supports),
		    chosen(2) == 0 ? "'title'" : "null", one_of(moments));
		return went(o);
	}
	SEND("POST /schema/collections",
	    "{'slug':'%s','label':'L','supports':[%s],'urlPattern':'/{slug}','admin':{'x':[1]}%s}",
	    c, one_of(supports), one_of(moments));
	return went(o);
}

static bool
step_field(void)
{
	const struct kind_of_field *f = &fields[chosen(field_kinds)];
	struct outcome *o;

	SEND(path("POST /schema/collections/%s/fields", one_of(collections)),
	    "{'slug':'%s','label':'L','type':'%s','required':%s%s%s}", f->slug, f->type,
	    chosen(4) == 0 ? "true" : "false", f->more != NULL ? "," : "",
	    f->more != NULL ? f->more : "");
	return went(o);
}

static bool
step_default(void)
{
	struct outcome *o;

	SEND(path("PUT /schema/collections/%s/fields/%s", one_of(collections),
		 chosen(2) == 0 ? "ref" : "doc"),
	    "{'defaultValue':'%s'}", an_id(chosen(2) == 0 ? ITEM : MEDIA));
	return went(o);
}

static bool
step_tighten(void)
{
	const struct kind_of_field *f = &fields[chosen(field_kinds)];
	const char *more = chosen(3) > 0 ? f->tight : f->more;
	struct outcome *o;

	if (more == NULL || strstr(more, "validation") == NULL)
		return false;
	SEND(path("PUT /schema/collections/%s/fields/%s", one_of(collections), f->slug), "{%s}",
	    more);
	return went(o);
}

static bool
step_retype(void)
{
	static const char *const slug[] = { "title", "note", "name", NULL };
	static const char *const type[] = { "string", "text", "slug", NULL };
	struct outcome *o;

	SEND(path("PUT /schema/collections/%s/fields/%s", one_of(collections), one_of(slug)),
	    "{'type':'%s'}", one_of(type));
	return went(o);
}

static bool
step_options(void)
{
	struct outcome *o;

	SEND(path("PUT /schema/collections/%s/fields/%s", one_of(collections),
		 fields[chosen(field_kinds)].slug),
	    "{'widget':'mine','options':{'collection':'aa','mine':[1]},'sortOrder':%d}", chosen(5));
	return went(o);
}

static bool
step_field_delete(void)
{
	return went(ask(world.site, admin, "DELETE /schema/collections/%s/fields/%s",
	    one_of(collections), fields[chosen(field_kinds)].slug));
}

static bool
step_collection_delete(void)
{
	return chosen(4) == 0 &&
	       went(ask(world.site, admin, "DELETE /schema/collections/%s?force=true",
		   one_of(collections)));
}

/* ---- the library, people ---- */

static bool
step_upload(void)
{
	static const char *const names[] = { "a.png", "b \xc3\xa4.png", "..png", "c%20d.png",
		"e'f.png", "-.png", NULL };
	struct outcome *o = harness_op(world.site, admin, "media_upload",
	    "{\"filename\":\"%s\",\"contentType\":\"image/png\",\"base64\":"
	    "\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9"
	    "QDwADhgGAWjR9awAAAABJRU5ErkJggjAw%08d\"}",
	    one_of(names), uploads++);

	remember(MEDIA, o);
	return went(o);
}

static bool
step_media(void)
{
	struct outcome *o;

	switch (chosen(4)) {
	case 0:
		SEND("POST /media/folders", "{'name':'F %d'}", chosen(9));
		remember(FOLDER, o);
		return went(o);
	case 1:
		SEND(path("PUT /media/%s", an_id(MEDIA)), "{'folderId':'%s','alt':'x'}",
		    an_id(FOLDER));
		return went(o);
	case 2:
		return went(ask(world.site, admin, "DELETE /media/folders/%s", an_id(FOLDER)));
	default:
		return went(ask(world.site, admin, "DELETE /media/%s", an_id(MEDIA)));
	}
}

static bool
step_byline(void)
{
	struct outcome *o;

	switch (chosen(4)) {
	case 0:
		return went(ask(world.site, admin, "DELETE /bylines/%s", an_id(BYLINE)));
	case 1:
		SEND(path("POST /bylines/%s/translations", an_id(BYLINE)),
		    "{'locale':'%s','displayName':'T'}", one_of(locales));
		return went(o);
	default:
		SEND("POST /bylines", "{'slug':'b%d','displayName':'B','avatarMediaId':'%s'}",
		    chosen(20), an_id(MEDIA));
		remember(BYLINE, o);
		return went(o);
	}
}

/* ---- structures ---- */

static const char *const terms[] = { "t1", "t2", NULL };
static const char *const taxonomies[] = { "category", "place", NULL };

static bool
step_term(void)
{
	const char *t = one_of(taxonomies), *locale = one_of(locales);
	struct outcome *o;

	switch (chosen(4)) {
	case 0:
		return went(ask(world.site, admin, "DELETE /taxonomies/%s/terms/%s?locale=%s", t,
		    chosen(2) == 0 ? "t1" : "t2", locale));
	case 1:
		SEND(path("POST /taxonomies/%s/terms/%s/translations?locale=%s", t,
			 chosen(2) == 0 ? "t1" : "t2", locale),
		    "{'locale':'%s','slug':'%s','label':'L'}", one_of(locales), one_of(terms));
		return went(o);
	default:
		SEND(path("POST /taxonomies/%s/terms", t),
		    "{'slug':'%s','label':'L','locale':'%s','description':'d'}", one_of(terms),
		    locale);
		if (went(o) && chosen(2) == 0) {
			char id[27];

			(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "term.id"));
			SEND(path("PUT /taxonomies/%s/terms/%s?locale=%s", t, "t2", locale),
			    "{'parentId':'%s'}", id);
		}
		return went(o);
	}
}

static bool
step_taxonomy(void)
{
	struct outcome *o;

	if (chosen(3) == 0)
		return went(ask(world.site, admin, "DELETE /taxonomies/%s", "place"));
	SEND("POST /taxonomies",
	    "{'name':'place','label':'P','hierarchical':true,'locale':'%s','collections':['aa','bb']}",
	    one_of(locales));
	return went(o);
}

static bool
step_assign(void)
{
	struct outcome *o;

	SEND(path("PUT /content/%s", an_item()), "{'taxonomies':{'%s':['%s']}}", one_of(taxonomies),
	    one_of(terms));
	return went(o);
}

static bool
step_menu(void)
{
	const char *locale = one_of(locales);
	struct outcome *o;

	switch (chosen(5)) {
	case 0:
		return went(ask(world.site, admin, "DELETE /menus/main?locale=%s", locale));
	case 1:
		SEND("POST /menus", "{'name':'main','label':'M','locale':'%s'}", locale);
		return went(o);
	case 2:
		return went(ask(world.site, admin, "DELETE /menus/main/items/%s?locale=%s",
		    an_id(MENU_ITEM), locale));
	default:
		SEND(path("POST /menus/main/items?locale=%s", locale),
		    chosen(2) == 0
			? "{'type':'page','referenceCollection':'aa','referenceId':'%s',"
			  "'label':'L','parentId':'%s','sortOrder':%d}"
			: "{'type':'custom','customUrl':'/%s','label':'L','parentId':'%s',"
			  "'sortOrder':%d}",
		    an_id(ITEM), an_id(MENU_ITEM), chosen(5));
		remember(MENU_ITEM, o);
		return went(o);
	}
}

static bool
step_widget(void)
{
	struct outcome *o;

	switch (chosen(4)) {
	case 0:
		SEND("POST /widget-areas", "{'name':'side%d','label':'S'}", chosen(2));
		return went(o);
	case 1:
		return went(ask(world.site, admin, "DELETE /widget-areas/side%d", chosen(2)));
	case 2:
		SEND(path("POST /widget-areas/side%d/widgets", chosen(2)),
		    "{'type':'menu','title':'W','menuName':'main'}");
		return went(o);
	default:
		SEND(path("POST /widget-areas/side%d/widgets", chosen(2)),
		    "{'type':'content','title':'W','content':[{'_type':'image','asset':{'_ref':'%s'}}]}",
		    an_id(MEDIA));
		return went(o);
	}
}

static bool
step_section(void)
{
	struct outcome *o;

	if (chosen(3) == 0)
		return went(ask(world.site, admin, "DELETE /sections/foot%d", chosen(3)));
	SEND("POST /sections",
	    "{'slug':'foot%d','title':'F','keywords':['x'],'content':[{'_type':'image','asset':{'_ref':'%s'}}]}",
	    chosen(3), an_id(MEDIA));
	return went(o);
}

static bool
step_settings(void)
{
	struct outcome *o;

	SEND("POST /settings",
	    "{'title':'T%d','logo':{'mediaId':'%s','alt':'x'},'postsPerPage':%d}", chosen(3),
	    an_id(MEDIA), 1 + chosen(9));
	return went(o);
}

struct step steps[] = {
#define STEP(name, weight)                    \
	{                                     \
		step_##name, weight, 0, #name \
	}
	STEP(create, 60),
	STEP(translate, 20),
	STEP(update, 60),
	STEP(slug, 15),
	STEP(old_slug, 8),
	STEP(seo, 10),
	STEP(credit, 20),
	STEP(act, 90),
	STEP(schedule, 10),
	STEP(revision, 15),
	STEP(comment, 10),
	STEP(collection, 12),
	STEP(field, 50),
	STEP(default, 8),
	STEP(tighten, 25),
	STEP(retype, 10),
	STEP(options, 10),
	STEP(field_delete, 8),
	STEP(collection_delete, 3),
	STEP(upload, 20),
	STEP(media, 20),
	STEP(byline, 12),
	STEP(term, 20),
	STEP(taxonomy, 6),
	STEP(assign, 25),
	STEP(menu, 20),
	STEP(widget, 12),
	STEP(section, 10),
	STEP(settings, 6),
	{ 0 },
#undef STEP
};

void
step(void)
{
	int all = 0, at;

	for (size_t i = 0; steps[i].name != NULL; i++)
		all += steps[i].weight;
	at = chosen(all);
	for (size_t i = 0; steps[i].name != NULL; i++) {
		at -= steps[i].weight;
		if (at >= 0)
			continue;
		steps[i].done += steps[i].run();
		return;
	}
}
