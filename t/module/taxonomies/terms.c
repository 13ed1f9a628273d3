/* terms.t - terms: slugs, parents and orders, in one locale and in several. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define TAG "POST /taxonomies/tag/terms"
#define CATEGORY "POST /taxonomies/category/terms"

/* Creates a term and returns its id. */
static STET_FMT(4, 5) void term(
    struct harness *h, const char *request, char id[27], const char *body, ...)
{
	struct outcome *o;
	char text[512];
	va_list ap;

	va_start(ap, body);
	vsnprintf(text, sizeof(text), body, ap);
	va_end(ap);
	harness_ok(o, say(h, editor, request, "%s", text));
	assert_int_equal(o->http, 201);
	snprintf(id, 27, "%s", harness_text(o->data, "term.id"));
}

/* Creates a category with this label, a letter, at the top or below a parent. */
static void
category(struct harness *h, char id[27], const char *label, const char *parent)
{
	if (parent == NULL)
		term(h, CATEGORY, id, "{'label':'%s'}", label);
	else
		term(h, CATEGORY, id, "{'label':'%s','parentId':'%s'}", label, parent);
}

static void
put_labels(json_t *terms, char *out, size_t size)
{
	size_t i;
	json_t *t;

	json_array_foreach(terms, i, t)
	{
		json_t *children = json_object_get(t, "children");

		snprintf(out + strlen(out), size - strlen(out), "%s%s", i > 0 ? " " : "",
		    harness_text(t, "label"));
		if (json_array_size(children) == 0)
			continue;
		snprintf(out + strlen(out), size - strlen(out), "(");
		put_labels(children, out, size);
		snprintf(out + strlen(out), size - strlen(out), ")");
	}
}

/* Returns the terms as a tree, "A(B C) D". Static buffer. */
static const char *
tree(struct harness *h, const char *query)
{
	static char text[4096];
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET /taxonomies/%s", query));
	*text = '\0';
	put_labels(harness_at(o->data, "terms"), text, sizeof(text));
	return text;
}

#define assert_tree(h, text) assert_string_equal(tree(h, "category/terms?locale=en"), text)

static STET_FMT(2, 3) struct outcome *reorder(struct harness *h, const char *body, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, body);
	vsnprintf(text, sizeof(text), body, ap);
	va_end(ap);
	return say(h, editor, "POST /taxonomies/category/reorder", "%s", text);
}

/* ---- one by one ---- */

static void
a_term_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], child[27];

	category(h, id, "Up", NULL);
	harness_ok(
	    o, say(h, editor, CATEGORY,
		   "{'slug':'lower','label':'Lower','parentId':'%s','description':'D'}", id));
	snprintf(child, sizeof(child), "%s", harness_text(o->data, "term.id"));
	assert_string_equal(harness_text(o->data, "term.name"), "category");
	assert_string_equal(harness_text(o->data, "term.slug"), "lower");
	assert_string_equal(harness_text(o->data, "term.label"), "Lower");
	assert_string_equal(harness_text(o->data, "term.parentId"), id);
	assert_string_equal(harness_text(o->data, "term.description"), "D");
	assert_string_equal(harness_text(o->data, "term.locale"), "en");
	assert_string_equal(harness_text(o->data, "term.translationGroup"), child);
	assert_int_equal(json_object_size(harness_at(o->data, "term")), 8);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/terms/up"));
	assert_true(json_is_null(harness_at(o->data, "term.parentId")));
	assert_null(harness_at(o->data, "term.description"));
	assert_int_equal(harness_int(o->data, "term.count"), 0);
	assert_string_equal(harness_text(o->data, "term.children[0].id"), child);
	assert_string_equal(harness_text(o->data, "term.children[0].slug"), "lower");
	assert_int_equal(json_object_size(harness_at(o->data, "term.children[0]")), 3);
	assert_code(ask(h, subscriber, "GET /taxonomies/category/terms/none"), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET /taxonomies/category/terms/up?locale=fr"), "NOT_FOUND");
}

static void
bad_terms_are_refused_by_member(void **state)
{
	static const char *const bad[][2] = {
		{ "{}", "label" },
		{ "{'label':''}", "label" },
		{ "{'label':7}", "label" },
		{ "{'label':null}", "label" },
		{ "{'label':'L','slug':''}", "slug" },
		{ "{'label':'L','slug':'a\\nb'}", "slug" },
		{ "{'label':'L','parentId':7}", "parentId" },
		{ "{'label':'L','parentId':'none'}", "parentId" },
		{ "{'label':'L','locale':'?'}", "locale" },
		{ "{'label':'L','id':'x'}", "id" },
		{ "{'label':'L','count':1}", "count" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, TAG, "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	assert_code(say(h, editor, TAG, "{'label':'L','translationOf':'x'}"), "NOT_FOUND");
	assert_code(say(h, editor, "POST /taxonomies/none/terms", "{'label':'L'}"), "NOT_FOUND");
	category(h, id, "C", NULL);
	o = say(h, editor, TAG, "{'label':'L','parentId':'%s'}", id);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "parentId"));
	o = say(h, editor, TAG, "{'label':'L','locale':'fr','translationOf':'%s'}", id);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "translationOf"));
	assert_string_equal(tree(h, "tag/terms"), "");
	/* An empty parent means none over REST; the tool requires a slug and refuses an empty
	 * one. */
	assert_ok(say(h, editor, TAG, "{'label':'L','parentId':''}"));
	assert_ok(say(h, editor, TAG, "{'label':'L','parentId':null}"));
	o = harness_op(h, editor, "taxonomy_create_term", "{\"taxonomy\":\"tag\",\"label\":\"L\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "slug"));
	o = harness_op(h, editor, "taxonomy_create_term",
	    "{\"taxonomy\":\"tag\",\"label\":\"L\",\"slug\":\"x\",\"parentId\":\"\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "parentId"));
}

static void
an_update_changes_what_it_names(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	term(h, CATEGORY, a, "{'label':'A','description':'First'}");
	category(h, b, "B", a);
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/b", "{'label':'Bee'}"));
	assert_string_equal(harness_text(o->data, "term.parentId"), a);
	assert_string_equal(harness_text(o->data, "term.slug"), "b");
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/b", "{'slug':'bee'}"));
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/b", "{}"), "NOT_FOUND");
	assert_code(
	    say(h, editor, "PUT /taxonomies/category/terms/bee", "{'slug':'a'}"), "CONFLICT");
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/bee", "{'parentId':''}"));
	assert_string_equal(harness_text(o->data, "term.parentId"), a);
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/bee", "{'parentId':null}"));
	assert_true(json_is_null(harness_at(o->data, "term.parentId")));
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/a", "{'description':''}"));
	assert_string_equal(harness_text(o->data, "term.description"), "");
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/a", "{'description':null}"));
	assert_null(harness_at(o->data, "term.description"));
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/a", "{'name':'tag'}"),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/a", "{'locale':'fr'}"),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/a", "{'label':null}"),
	    "VALIDATION_ERROR");
}

static void
a_term_with_children_stays(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], fr[27];

	category(h, a, "A", NULL);
	category(h, b, "B", a);
	assert_code(ask(h, editor, "DELETE /taxonomies/category/terms/a"), "CONFLICT");
	assert_code(harness_op(h, editor, "taxonomy_delete_term",
			"{\"taxonomy\":\"category\",\"termSlug\":\"a\"}"),
	    "CONFLICT");
	/* It has translations as well. */
	term(h, CATEGORY, fr, "{'label':'Ah','locale':'fr','translationOf':'%s'}", a);
	assert_code(ask(h, editor, "DELETE /taxonomies/category/terms/ah?locale=fr"), "CONFLICT");
	harness_ok(o, ask(h, editor, "DELETE /taxonomies/category/terms/b"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_ok(ask(h, editor, "DELETE /taxonomies/category/terms/a?locale=en"));
	assert_code(ask(h, editor, "DELETE /taxonomies/category/terms/a"), "NOT_FOUND");
	/* The translation still exists. */
	assert_string_equal(tree(h, "category/terms"), "Ah");
}

/* ---- parents ---- */

static void
a_term_is_never_above_itself(void **state)
{
	static const char *const bad[][2] = { { "a", "0" }, { "a", "1" }, { "a", "2" },
		{ "b", "2" } };
	struct harness *h = *state;
	struct outcome *o;
	char id[3][27], fr[27], request[64];

	category(h, id[0], "A", NULL);
	category(h, id[1], "B", id[0]);
	category(h, id[2], "C", id[1]);
	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(request, sizeof(request), "PUT /taxonomies/category/terms/%s", bad[i][0]);
		o = say(h, editor, request, "{'parentId':'%s'}", id[*bad[i][1] - '0']);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "parentId"));
	}
	/* A translation of the term cannot be its parent either. */
	term(h, CATEGORY, fr, "{'label':'Ah','locale':'fr','translationOf':'%s'}", id[0]);
	o = say(h, editor, "PUT /taxonomies/category/terms/a", "{'parentId':'%s'}", fr);
	assert_code(o, "VALIDATION_ERROR");
	o = say(h, editor, CATEGORY,
	    "{'label':'X','locale':'de','translationOf':'%s','parentId':'%s'}", id[0], id[2]);
	assert_code(o, "VALIDATION_ERROR");
	assert_tree(h, "A(B(C))");
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/c", "{'parentId':null}"));
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/a", "{'parentId':'%s'}", id[2]));
	assert_tree(h, "C(A(B))");
}

static void
a_hundred_ancestors_are_enough(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], parent[27] = "", top[27], label[8];
	json_t *t;
	int depth = 0;

	/* Term i has i ancestors. */
	for (int i = 0; i <= 101; i++) {
		snprintf(label, sizeof(label), "T%d", i);
		category(h, id, label, i > 0 ? parent : NULL);
		memcpy(parent, id, sizeof(parent));
	}
	o = say(h, editor, CATEGORY, "{'label':'Deep','parentId':'%s'}", parent);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "parentId"));
	category(h, top, "Top", NULL);
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/top", "{'parentId':'%s'}", id),
	    "VALIDATION_ERROR");
	/* Moving a term must not give its descendants more ancestors than allowed. */
	assert_code(say(h, editor, "PUT /taxonomies/category/terms/t0", "{'parentId':'%s'}", top),
	    "VALIDATION_ERROR");
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/t1", "{'parentId':'%s'}", top));
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/terms"));
	for (t = harness_at(o->data, "terms[1]"); t != NULL;
	     t = json_array_get(json_object_get(t, "children"), 0))
		depth++;
	assert_int_equal(depth, 102);
}

/* ---- order ---- */

static void
new_terms_are_the_last(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27], id[27];

	category(h, a, "C", NULL);
	category(h, b, "B", NULL);
	category(h, c, "A", a);
	category(h, id, "Z", a);
	category(h, id, "Y", a);
	category(h, id, "D", NULL);
	assert_tree(h, "C(A Z Y) B D");
	/* Terms that are moved to another parent become the last, too. */
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/a", "{'parentId':null}"));
	assert_tree(h, "C(Z Y) B D A");
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/b", "{'parentId':'%s'}", a));
	assert_tree(h, "C(Z Y B) D A");
	/* A term that stays with its parent keeps its place. */
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/z", "{'parentId':'%s'}", a));
	assert_tree(h, "C(Z Y B) D A");
}

static void
listed_terms_change_places_among_themselves(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[6][27], label[2] = "A";

	for (int i = 0; i < 6; i++, (*label)++)
		category(h, id[i], label, i < 5 ? NULL : id[0]);
	assert_tree(h, "A(F) B C D E");
	harness_ok(o, reorder(h, "{'ids':['%s','%s','%s']}", id[4], id[2], id[0]));
	assert_true(json_is_true(harness_at(o->data, "reordered")));
	assert_tree(h, "E B C D A(F)");
	assert_ok(reorder(h, "{'parentId':null,'ids':['%s','%s']}", id[3], id[1]));
	assert_tree(h, "E D C B A(F)");
	assert_ok(reorder(h, "{'ids':[]}"));
	assert_ok(reorder(h, "{'ids':['%s']}", id[0]));
	assert_tree(h, "E D C B A(F)");
	/* Gaps between positions do not matter. */
	assert_ok(ask(h, editor, "DELETE /taxonomies/category/terms/c"));
	assert_ok(reorder(h, "{'ids':['%s','%s','%s','%s']}", id[0], id[1], id[3], id[4]));
	assert_tree(h, "A(F) B D E");
	category(h, id[2], "G", NULL);
	assert_tree(h, "A(F) B D E G");
}

static void
a_reorder_that_does_not_match_changes_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], tag[27], fr[27], ids[4096] = "";

	category(h, a, "A", NULL);
	category(h, b, "B", NULL);
	category(h, c, "C", a);
	term(h, TAG, tag, "{'label':'T'}");
	term(h, CATEGORY, fr, "{'label':'Ah','locale':'fr','translationOf':'%s'}", a);
	o = reorder(h, "{'ids':['%s','%s']}", b, c);
	assert_code(o, "REORDER_MISMATCH");
	assert_int_equal(o->http, 400);
	assert_code(reorder(h, "{'ids':['%s','none']}", b), "REORDER_MISMATCH");
	assert_code(reorder(h, "{'ids':['%s','%s']}", b, tag), "REORDER_MISMATCH");
	assert_code(reorder(h, "{'ids':['%s','%s','%s']}", b, a, b), "REORDER_MISMATCH");
	/* The same term twice: by the id of a row, and by its translation group. */
	assert_code(reorder(h, "{'ids':['%s','%s','%s']}", b, fr, a), "REORDER_MISMATCH");
	assert_code(reorder(h, "{'parentId':'%s','ids':['%s']}", a, b), "REORDER_MISMATCH");
	assert_code(reorder(h, "{'parentId':'none','ids':[]}"), "VALIDATION_ERROR");
	assert_code(reorder(h, "{}"), "VALIDATION_ERROR");
	assert_code(reorder(h, "{'ids':[''],'x':1}"), "VALIDATION_ERROR");
	assert_code(reorder(h, "{'ids':[7]}"), "VALIDATION_ERROR");
	assert_code(reorder(h, "{'ids':[],'locale':'en'}"), "VALIDATION_ERROR");
	for (int i = 0; i < 101; i++)
		snprintf(
		    ids + strlen(ids), sizeof(ids) - strlen(ids), "%s'x%d'", i > 0 ? "," : "", i);
	assert_code(reorder(h, "{'ids':[%s]}", ids), "VALIDATION_ERROR");
	*strrchr(ids, ',') = '\0';
	assert_code(reorder(h, "{'ids':[%s]}", ids), "REORDER_MISMATCH");
	assert_code(say(h, editor, "POST /taxonomies/none/reorder", "{'ids':[]}"), "NOT_FOUND");
	assert_tree(h, "A(C) B");
}

/* Equal positions can only come from outside. */
static void
tied_terms_are_numbered_as_they_are_listed(void **state)
{
	struct harness *h = *state;
	char id[4][27], label[2] = "A";

	for (int i = 0; i < 4; i++, (*label)++)
		category(h, id[i], label, NULL);
	inside_sql(h, "UPDATE term SET position = 3", NULL);
	assert_tree(h, "A B C D");
	assert_ok(reorder(h, "{'ids':['%s','%s']}", id[3], id[1]));
	assert_tree(h, "A D C B");
}

/* All terms of a flat taxonomy are one group, also if it was a tree before. */
static void
a_tree_that_became_flat_is_one_group(void **state)
{
	struct harness *h = *state;
	char id[4][27];

	category(h, id[0], "A", NULL);
	category(h, id[1], "B", id[0]);
	category(h, id[2], "C", id[0]);
	category(h, id[3], "D", NULL);
	assert_tree(h, "A(B C) D");
	assert_ok(say(h, editor, "PUT /taxonomies/category", "{'hierarchical':false}"));
	assert_tree(h, "A B C D");
	assert_ok(reorder(h, "{'ids':['%s','%s','%s']}", id[3], id[1], id[0]));
	assert_tree(h, "D B C A");
	assert_ok(say(h, editor, "PUT /taxonomies/category", "{'hierarchical':true}"));
	assert_tree(h, "D A(B C)");
}

/* ---- locales ---- */

static void
a_term_has_one_place_in_all_locales(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], fr[27], id[27];

	category(h, a, "A", NULL);
	category(h, b, "B", NULL);
	category(h, c, "C", NULL);
	term(h, CATEGORY, id, "{'label':'Cfr','locale':'fr','translationOf':'%s'}", c);
	term(h, CATEGORY, fr, "{'label':'Bfr','locale':'fr','translationOf':'%s'}", b);
	term(h, CATEGORY, id, "{'label':'Afr','locale':'fr','translationOf':'%s'}", a);
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Afr Bfr Cfr");
	assert_ok(reorder(h, "{'ids':['%s','%s']}", c, fr));
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Afr Cfr Bfr");
	assert_tree(h, "A C B");
	/* The term is named by its French translation, which is a row of its own. */
	harness_ok(o, say(h, editor, "PUT /taxonomies/category/terms/bfr?locale=fr",
			  "{'parentId':'%s'}", id));
	assert_string_equal(harness_text(o->data, "term.parentId"), a);
	assert_tree(h, "A(B) C");
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Afr(Bfr) Cfr");
	/* A translation with another parent moves the term. */
	term(h, CATEGORY, id, "{'label':'Cde','locale':'de','translationOf':'%s','parentId':'%s'}",
	    c, a);
	assert_tree(h, "A(B C)");
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Afr(Bfr Cfr)");
	assert_code(say(h, editor, CATEGORY, "{'label':'X','locale':'de','translationOf':'%s'}", c),
	    "CONFLICT");
}

static void
a_child_stays_below_a_parent_that_is_translated_later(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], id[27];

	category(h, a, "A", NULL);
	category(h, b, "B", a);
	category(h, c, "C", NULL);
	term(h, CATEGORY, id, "{'label':'Bfr','locale':'fr','translationOf':'%s'}", b);
	/* Its parent has no translation yet, so it is listed at the top, but it is not a top-level
	 * term. */
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Bfr");
	assert_code(reorder(h, "{'ids':['%s','%s']}", id, c), "REORDER_MISMATCH");
	assert_string_equal(tree(h, "category/terms?locale=fr&resolveFallback=true"), "A(Bfr) C");
	term(h, CATEGORY, id, "{'label':'Afr','locale':'fr','translationOf':'%s'}", a);
	assert_string_equal(tree(h, "category/terms?locale=fr"), "Afr(Bfr)");
	assert_string_equal(tree(h, "category/terms"), "A(B) Afr(Bfr) C");
	assert_string_equal(tree(h, "category/terms?locale=fr&resolveFallback=true"), "Afr(Bfr) C");
	assert_code(ask(h, subscriber, "GET /taxonomies/category/terms?resolveFallback=true"),
	    "VALIDATION_ERROR");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/terms?locale=de"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 0);
}

static void
translations_are_listed_and_made(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], fr[27];

	term(h, CATEGORY, a, "{'label':'New','description':'D'}");
	o = say(h, editor, "POST /taxonomies/category/terms/new/translations", "{}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "locale"));
	harness_ok(o,
	    say(h, editor, "POST /taxonomies/category/terms/new/translations", "{'locale':'FR'}"));
	assert_int_equal(o->http, 201);
	snprintf(fr, sizeof(fr), "%s", harness_text(o->data, "term.id"));
	assert_string_equal(harness_text(o->data, "term.slug"), "new");
	assert_string_equal(harness_text(o->data, "term.locale"), "fr");
	assert_string_equal(harness_text(o->data, "term.description"), "D");
	assert_string_equal(harness_text(o->data, "term.translationGroup"), a);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/terms/new/translations"));
	assert_string_equal(harness_text(o->data, "translationGroup"), a);
	assert_string_equal(harness_text(o->data, "translations[0].id"), a);
	assert_string_equal(harness_text(o->data, "translations[1].id"), fr);
	assert_int_equal(json_object_size(harness_at(o->data, "translations[1]")), 4);
	harness_ok(
	    o, harness_op(h, subscriber, "taxonomy_term_translations", "{\"id\":\"%s\"}", fr));
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	assert_code(
	    harness_op(h, subscriber, "taxonomy_term_translations", "{\"id\":\"x\"}"), "NOT_FOUND");
	assert_code(say(h, editor, "POST /taxonomies/category/terms/new/translations",
			"{'locale':'fr','slug':'other'}"),
	    "CONFLICT");
	/* A slug without a locale is looked up in the lowest locale. */
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/terms/new"));
	assert_string_equal(harness_text(o->data, "term.id"), a);
}

/* ---- pages ---- */

static void
pages_follow_the_order_and_end(void **state)
{
	struct harness *h = *state;
	char id[7][27], next[256] = "", text[64] = "";
	struct outcome *o;
	int pages = 0;

	for (int i = 0; i < 7; i++)
		term(h, TAG, id[i], "{'label':'%s','slug':'s%d'}", "Same", i);
	assert_ok(
	    say(h, editor, "POST /taxonomies/tag/reorder", "{'ids':['%s','%s']}", id[6], id[0]));
	do {
		harness_ok(
		    o, harness_op(h, subscriber, "taxonomy_list_terms",
			   "{\"taxonomy\":\"tag\",\"limit\":2%s%s%s}",
			   *next != '\0' ? ",\"cursor\":\"" : "", next, *next != '\0' ? "\"" : ""));
		for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ",
			    harness_text(json_array_get(harness_at(o->data, "items"), i), "slug"));
		assert_null(harness_at(o->data, "items[0].children"));
		assert_null(harness_at(o->data, "items[0].count"));
		snprintf(next, sizeof(next), "%s", harness_text(o->data, "nextCursor"));
	} while (*next != '\0' && ++pages < 9);
	assert_string_equal(text, "s6 s1 s2 s3 s4 s5 s0 ");
	assert_int_equal(pages, 3);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms?limit=6"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 6);
	assert_string_not_equal(harness_text(o->data, "nextCursor"), "");
}

static void
a_cursor_belongs_to_its_list(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], cursor[256];

	for (int i = 0; i < 3; i++) {
		term(h, TAG, id, "{'label':'T','slug':'s%d'}", i);
		category(h, id, "C", NULL);
	}
	harness_ok(o,
	    harness_op(h, subscriber, "taxonomy_list_terms", "{\"taxonomy\":\"tag\",\"limit\":1}"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
#define WITH(more) \
	harness_op(h, subscriber, "taxonomy_list_terms", "{" more ",\"cursor\":\"%s\"}", cursor)
	assert_ok(WITH("\"taxonomy\":\"tag\""));
	assert_code(WITH("\"taxonomy\":\"category\""), "INVALID_CURSOR");
	assert_code(WITH("\"taxonomy\":\"tag\",\"locale\":\"en\""), "INVALID_CURSOR");
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/s0"));
	assert_code(WITH("\"taxonomy\":\"tag\""), "INVALID_CURSOR");
	assert_code(ask(h, subscriber, "GET /taxonomies/tag/terms?cursor=x"), "INVALID_CURSOR");
	assert_code(ask(h, subscriber, "GET /taxonomies/tag/terms?limit=0"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /taxonomies/tag/terms?limit=5001"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, subscriber, "GET /taxonomies/tag/terms?includeCounts=x"), "VALIDATION_ERROR");
	assert_code(harness_op(h, subscriber, "taxonomy_list_terms",
			"{\"taxonomy\":\"tag\",\"limit\":101}"),
	    "VALIDATION_ERROR");
	assert_code(harness_op(h, subscriber, "taxonomy_list_terms", "{\"taxonomy\":\"none\"}"),
	    "NOT_FOUND");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_term_has_all_members),
		check(bad_terms_are_refused_by_member),
		check(an_update_changes_what_it_names),
		check(a_term_with_children_stays),
		check(a_term_is_never_above_itself),
		check(a_hundred_ancestors_are_enough),
		check(new_terms_are_the_last),
		check(listed_terms_change_places_among_themselves),
		check(a_reorder_that_does_not_match_changes_nothing),
		check(tied_terms_are_numbered_as_they_are_listed),
		check(a_tree_that_became_flat_is_one_group),
		check(a_term_has_one_place_in_all_locales),
		check(a_child_stays_below_a_parent_that_is_translated_later),
		check(translations_are_listed_and_made),
		check(pages_follow_the_order_and_end),
		check(a_cursor_belongs_to_its_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
