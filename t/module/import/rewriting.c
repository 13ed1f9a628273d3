/* rewriting.c - URLs of a source's files become those of the copied files, in every kind of field,
 * published and staged; nothing else changes. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define REWRITE "POST /import/platform/rewrite-urls"
#define OLD "https://old.example/u/"
#define NEW "/_cms/api/media/file/"
/* The map from old to new URLs. */
#define MAP                                                                          \
	"{'" OLD "a.jpg':'" NEW "A.jpg','" OLD "b-300x200.png':'" NEW "B.png','" OLD \
	"big-scaled.jpg':'" NEW "BIG.jpg','http://old.example/doc.pdf':'" NEW "D.pdf'}"

static struct outcome *
rewrite(struct harness *h, const char *more)
{
	return say(h, admin, REWRITE, "{'urlMap':" MAP "%s}", more);
}

static struct outcome *
get(struct harness *h, const char *id)
{
	return ask(h, admin, "GET " BASE "/%s", id);
}

/* Changes an item; the body has " for each '. */
static struct outcome *
say_to(struct harness *h, const struct harness_user *user, const char *id, const char *body)
{
	char request[60];

	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	return say(h, user, request, "%s", body);
}

static void
put(struct harness *h, const char *id, const char *field, json_t *value)
{
	json_t *body = json_pack("{s{so}}", "data", field, value);
	char *text = json_dumps(body, 0), request[1000];

	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(harness_request(h, admin, request, NULL, text));
	free(text);
	json_decref(body);
}

static int
begin_with_files(void **state)
{
	int failed = posts_begin(state);

	field(*state, "posts", "hero", "image", "");
	field(*state, "posts", "paper", "file", "");
	return failed;
}
#define with_files(name) cmocka_unit_test_setup_teardown(name, begin_with_files, posts_end)

/* ---- texts ---- */

static const struct {
	const char *was, *is; /* is NULL: unchanged */
} texts[] = {
	{ OLD "a.jpg", NEW "A.jpg" },
	{ "http://old.example/u/a.jpg", NEW "A.jpg" },
	{ "see //old.example/u/a.jpg", "see " NEW "A.jpg" },
	{ "see " OLD "a.jpg.", "see " NEW "A.jpg." },
	{ "(" OLD "a.jpg)", "(" NEW "A.jpg)" },
	{ OLD "a.jpg, " OLD "a.jpg! " OLD "a.jpg: x", NEW "A.jpg, " NEW "A.jpg! " NEW "A.jpg: x" },
	{ OLD "a.jpg;then", NEW "A.jpg;then" },
	{ OLD "a.jpg?w=100", NEW "A.jpg" },
	{ OLD "a.jpg?a=1&#038;b=2 x", NEW "A.jpg x" },
	{ OLD "a.jpg#top", NEW "A.jpg#top" },
	{ OLD "a-300x200.jpg", NEW "A.jpg" },
	{ OLD "a-300x200.jpg?x", NEW "A.jpg" },
	{ OLD "big-1024x768.jpg", NEW "BIG.jpg" },
	{ OLD "b-300x200.png", NEW "B.png" }, /* a file's own name, not a resized variant */
	{ OLD "b-300x200-20x10.png", NEW "B.png" },
	{ "<img src='" OLD "a.jpg' srcset='" OLD "a-1x1.jpg 1w, " OLD "a-2x2.jpg 2w'>",
	    "<img src='" NEW "A.jpg' srcset='" NEW "A.jpg 1w, " NEW "A.jpg 2w'>" },
	{ OLD "a.jpg,https://old.example/doc.pdf", NEW "A.jpg," NEW "D.pdf" },
	{ "url(" OLD "a.jpg)", "url(" NEW "A.jpg)" },
	{ "<p>" OLD "a.jpg</p>", "<p>" NEW "A.jpg</p>" },
	{ OLD "a.jpgx", NULL },
	{ OLD "a.jpg.exe", NULL },
	{ OLD "a", NULL },
	{ OLD "aa.jpg", NULL },
	{ "x" OLD "a.jpg", NULL },
	{ "https://other.example/u/a.jpg", NULL },
	{ OLD "a-300.jpg", NULL },
	{ OLD "a-x.jpg", NULL },
	{ OLD "b.png", NULL },
	{ "", NULL },
};

static void
texts_are_replaced_where_an_address_ends(void **state)
{
	struct harness *h = *state;
	char ids[COUNT(texts)][27];
	struct outcome *o;
	int changed = 0;

	for (size_t i = 0; i < COUNT(texts); i++) {
		make(h, admin, ids[i], "{'data':{'title':'T'}}");
		put(h, ids[i], "summary", json_string(texts[i].was));
	}
	harness_ok(o, rewrite(h, ""));
	for (size_t i = 0; i < COUNT(texts); i++)
		changed += texts[i].is != NULL;
	assert_int_equal(harness_int(o->data, "updated"), changed);
	assert_int_equal(harness_int(o->data, "byCollection.posts"), changed);
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *is = texts[i].is != NULL ? texts[i].is : texts[i].was;

		harness_ok(o, get(h, ids[i]));
		if (strcmp(harness_text(o->data, "item.data.summary"), is) != 0)
			fail_msg("%s became %s", texts[i].was,
			    harness_text(o->data, "item.data.summary"));
	}
	harness_ok(o, rewrite(h, ""));
	assert_int_equal(harness_int(o->data, "updated"), 0);
}

/* ---- values ---- */

#define PICTURE(url)                                                                             \
	"{'_type':'image','_key':'k1','asset':{'_type':'reference','_ref':'" url "','url':'" url \
	"'},'alt':'A'}"
#define BODY                                                                                                                           \
	"[" PICTURE(OLD                                                                                                                \
	    "a.jpg") ",{'_type':'block','_key':'k2','style':'normal',"                                                                 \
		     "'children':[{'_type':'span','_key':'k3','text':'See " OLD                                                        \
		     "a.jpg','marks':['m']}],"                                                                                         \
		     "'markDefs':[{'_key':'m','_type':'link','href':'" OLD "a.jpg'}]},"                                                \
		     "{'_type':'gallery','_key':'k4','images':[" PICTURE(OLD                                                           \
			 "a-10x10.jpg") "]},"                                                                                          \
					"{'_type':'columns','_key':'k5','columns':[{'_type':'column','_key':'k6','content':[" PICTURE( \
					    OLD                                                                                        \
					    "a.jpg") "]}]},{'_type':'htmlBlock','_key':'k7','html':'<img src=\\'" OLD                  \
						     "a.jpg\\'>'},{'_type':'cover','_key':'k8','backgroundImage':'" OLD                \
						     "a.jpg'}]"

static void
every_kind_of_field_is_rewritten(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, admin, id,
	    "{'status':'published','data':{'title':'" OLD "a.jpg','body':%s,'extra':{'a':['" OLD
	    "a.jpg',7]},'hero':'" OLD "a.jpg','paper':{'id':'','provider':'external','src':'" OLD
	    "a.jpg'}}}",
	    BODY);
	harness_ok(o, rewrite(h, ",'collections':['posts']"));
	assert_int_equal(harness_int(o->data, "updated"), 1);
	assert_int_equal(harness_int(o->data, "failed"), 0);
	harness_ok(o, get(h, id));
	assert_null(strstr(o->text, "old.example"));
	assert_string_equal(harness_text(o->data, "item.data.title"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.data.extra.a[0]"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.data.hero.src"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.data.body[0].asset.url"), NEW "A.jpg");
	assert_string_equal(
	    harness_text(o->data, "item.data.body[1].markDefs[0].href"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.data.body[0].alt"), "A");
	assert_string_equal(harness_text(o->data, "item.data.body[0]._key"), "k1");
}

static void
pictures_become_items_of_the_library(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], media[27], url[200];

	harness_ok(
	    o, harness_op(h, admin, "media_upload",
		   "{\"filename\":\"f.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"YQ==\"}"));
	(void)snprintf(media, sizeof(media), "%s", harness_text(o->data, "item.id"));
	(void)snprintf(url, sizeof(url), "%s", harness_text(o->data, "item.url"));
	make(h, admin, id,
	    "{'data':{'title':'T','body':[" PICTURE(
		OLD "a.jpg") "],'hero':{'id':'','provider':"
			     "'external','src':'" OLD
			     "a-5x5.jpg','alt':'Mine','width':5,'height':5}}}");
	harness_ok(o, say(h, admin, REWRITE, "{'urlMap':{'" OLD "a.jpg':'%s'}}", url));
	assert_int_equal(harness_int(o->data, "urlsRewritten"), 3);
	harness_ok(o, get(h, id));
	assert_string_equal(harness_text(o->data, "item.data.hero.id"), media);
	assert_string_equal(harness_text(o->data, "item.data.hero.provider"), "local");
	assert_string_equal(harness_text(o->data, "item.data.hero.alt"), "Mine");
	assert_string_equal(harness_text(o->data, "item.data.hero.url"), url);
	assert_null(harness_at(o->data, "item.data.hero.src"));
	assert_null(harness_at(o->data, "item.data.hero.width"));
	assert_string_equal(harness_text(o->data, "item.data.body[0].asset._ref"), media);
	assert_string_equal(harness_text(o->data, "item.data.body[0].asset.url"), url);
}

/* ---- what it is to an item ---- */

static void
a_draft_stays_a_draft_and_live_values_live(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[200];

	make(h, author, id, "{'status':'published','data':{'title':'T','summary':'" OLD "a.jpg'}}");
	harness_ok(o, say_to(h, author, id, "{'data':{'title':'New " OLD "a.jpg'}}"));
	assert_ok(ask(h, author, "GET " BASE "/%s", id));
	at(h, 60000);
	harness_ok(o, get(h, id));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, rewrite(h, ""));
	assert_int_equal(harness_int(o->data, "updated"), 1);
	harness_ok(o, get(h, id));
	assert_string_not_equal(harness_text(o->data, "_rev"), rev);
	assert_string_equal(harness_text(o->data, "item.data.title"), "New " NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.data.summary"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.liveData.title"), "T");
	assert_string_equal(harness_text(o->data, "item.liveData.summary"), NEW "A.jpg");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:01:00.000Z");
	assert_string_equal(harness_text(o->data, "item.authorId"), author->id);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "T");
	assert_string_equal(harness_text(o->data, "item.data.summary"), NEW "A.jpg");
	/* The draft is the newest revision, and the replaced published values are in the
	 * history. */
	harness_ok(o, ask(h, admin, "GET " BASE "/%s/revisions", id));
	assert_string_equal(harness_text(o->data, "items[0].data.title"), "New " NEW "A.jpg");
	assert_non_null(strstr(o->text, OLD "a.jpg"));
	harness_ok(o, ask(h, admin, "POST " BASE "/%s/publish", id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "New " NEW "A.jpg");
}

static void
a_draft_alone_is_rewritten_unseen(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], tag[200];

	make(h, admin, id, "{'status':'published','data':{'title':'T'}}");
	assert_ok(say_to(h, admin, id, "{'data':{'summary':'" OLD "a.jpg'}}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	at(h, 60000);
	harness_ok(o, rewrite(h, ""));
	assert_int_equal(harness_int(o->data, "updated"), 1);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_string_equal(o->etag, tag);
	harness_ok(o, get(h, id));
	assert_string_equal(harness_text(o->data, "item.data.summary"), NEW "A.jpg");
}

static void
a_schedule_stays(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], request[80];

	make(h, admin, id, "{'data':{'title':'T','summary':'" OLD "a.jpg'}}");
	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, admin, request, "{'scheduledAt':'2026-07-01T00:00:00.000Z'}"));
	assert_int_equal(harness_int((rewrite(h, ""))->data, "updated"), 1);
	harness_ok(o, get(h, id));
	assert_string_equal(harness_text(o->data, "item.status"), "scheduled");
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2026-07-01T00:00:00.000Z");
}

static void
trash_and_other_collections_stay(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char gone[27];

	make(h, admin, gone, "{'data':{'title':'" OLD "a.jpg'}}");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", gone));
	assert_ok(say(h, admin, "POST /content/pages", "{'data':{'name':'" OLD "a.jpg'}}"));
	harness_ok(o, rewrite(h, ",'collections':['posts']"));
	assert_int_equal(harness_int(o->data, "updated"), 0);
	harness_ok(o, rewrite(h, ""));
	assert_int_equal(harness_int(o->data, "byCollection.pages"), 1);
	assert_null(harness_at(o->data, "byCollection.posts"));
	assert_code(rewrite(h, ",'collections':['posts','nope']"), "COLLECTION_NOT_FOUND");
}

static void
what_cannot_be_saved_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], good[27];

	make(h, admin, good, "{'data':{'title':'" OLD "a.jpg'}}");
	make(h, admin, id, "{'data':{'title':'T','code':'/o'}}");
	harness_ok(o, say(h, admin, REWRITE,
			  "{'urlMap':{'/o':'/longer/than/nine','" OLD "a.jpg':'" NEW "A.jpg'}}"));
	assert_int_equal(harness_int(o->data, "updated"), 1);
	assert_int_equal(harness_int(o->data, "failed"), 1);
	assert_string_equal(harness_text(o->data, "errors[0].id"), id);
	assert_non_null(strstr(harness_text(o->data, "errors[0].error"), "code"));
}

static void
hundreds_of_items_are_walked(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	for (int i = 0; i < 250; i++)
		make(h, admin, id, "{'data':{'title':'%d','summary':'%s'}}", i,
		    i % 2 == 0 ? OLD "a.jpg" : "no");
	harness_ok(o, rewrite(h, ""));
	assert_int_equal(harness_int(o->data, "updated"), 125);
}

static void
bad_maps_are_refused(void **state)
{
	static const char *const bad[] = { "{'urlMap':{'a':7}}", "{'urlMap':{'a':''}}",
		"{'urlMap':{'a':'javascript:alert(1)'}}", "{'urlMap':{'a':'//other.example/x'}}",
		"{'urlMap':{'a':'/x\\u0022 onerror='}}", "{'urlMap':{'a':'/x<y'}}",
		"{'urlMap':{'':'/x'}}", "{'urlMap':[]}", "{}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(say(h, admin, REWRITE, "%s", bad[i]), "VALIDATION_ERROR");
	harness_ok(o, say(h, admin, REWRITE, "{'urlMap':{}}"));
	assert_int_equal(harness_int(o->data, "updated"), 0);
	assert_code(say(h, editor, REWRITE, "{'urlMap':{}}"), "FORBIDDEN");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(texts_are_replaced_where_an_address_ends),
		with_files(every_kind_of_field_is_rewritten),
		with_files(pictures_become_items_of_the_library),
		check(a_draft_stays_a_draft_and_live_values_live),
		check(a_draft_alone_is_rewritten_unseen),
		check(a_schedule_stays),
		check(trash_and_other_collections_stay),
		check(what_cannot_be_saved_is_told),
		check(hundreds_of_items_are_walked),
		check(bad_maps_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
