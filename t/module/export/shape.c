/*
 * shape.c - the structure of the output of "stet export wxr": elements, their order and namespaces
 * are as in WordPress. The table is also checked against exports of WordPress: one of 6.4, if
 * shared/data exists, and the file named by STET_WORDPRESS_EXPORT.
 */
#include "exports.h"
#include "leaving.h"
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH 16

/* The children of each element, in order. A ! marks required children; a * marks repeatable
 * ones. */
static const struct shape {
	const char *parent, *children;
} shapes[] = {
	{ "rss", "channel!" },
	{ "channel",
	    "title! link! description! pubDate! language! wp:wxr_version! wp:base_site_url! "
	    "wp:base_blog_url! wp:author* wp:category* wp:tag* wp:term* generator! stet:collection* stet:taxonomy* image item*" },
	{ "wp:author", "wp:author_id wp:author_login! wp:author_email! wp:author_display_name! "
		       "wp:author_first_name! wp:author_last_name!" },
	{ "wp:category", "wp:term_id! wp:category_nicename! wp:category_parent! wp:cat_name! "
			 "wp:category_description wp:termmeta*" },
	{ "wp:tag", "wp:term_id! wp:tag_slug! wp:tag_name! wp:tag_description wp:termmeta*" },
	{ "wp:term", "wp:term_id! wp:term_taxonomy! wp:term_slug! wp:term_parent wp:term_name! "
		     "wp:term_description wp:termmeta*" },
	{ "item",
	    "title! link! pubDate! dc:creator! guid! description! content:encoded! "
	    "excerpt:encoded! wp:post_id! wp:post_date! wp:post_date_gmt! wp:post_modified! "
	    "wp:post_modified_gmt! wp:comment_status! wp:ping_status! wp:post_name! wp:status! "
	    "wp:post_parent! wp:menu_order! wp:post_type! wp:post_password! wp:is_sticky! "
	    "wp:attachment_url category* wp:postmeta* wp:comment*" },
	{ "wp:termmeta", "wp:meta_key! wp:meta_value!" },
	{ "wp:postmeta", "wp:meta_key! wp:meta_value!" },
	{ "wp:comment",
	    "wp:comment_id! wp:comment_author! wp:comment_author_email! wp:comment_author_url! "
	    "wp:comment_author_IP! wp:comment_date! wp:comment_date_gmt! wp:comment_content! "
	    "wp:comment_approved! wp:comment_type! wp:comment_parent! wp:comment_user_id! "
	    "wp:commentmeta*" },
};

static const char *const spaces[][2] = { { "excerpt", "http://wordpress.org/export/1.2/excerpt/" },
	{ "content", "http://purl.org/rss/1.0/modules/content/" },
	{ "dc", "http://purl.org/dc/elements/1.1/" }, { "wp", "http://wordpress.org/export/1.2/" },
	{ "stet", "urn:stet:export:1" } };

/* An open element. */
struct open {
	const char *children; /* from its shape; NULL: no entry */
	char name[64];
	int last; /* position of the last child; -1: none yet */
	unsigned long long seen; /* bit set of positions */
};

/* Returns the position of a child, or -1; *mark is the character after its name. */
static int
place_of(const char *children, const char *name, char *mark)
{
	size_t len = strlen(name);

	for (int place = 0; *children != '\0'; place++) {
		if (strncmp(children, name, len) == 0 && strchr("!* ", children[len]) != NULL) {
			*mark = children[len] != ' ' ? children[len] : '\0';
			return place;
		}
		children += strcspn(children, " ");
		children += strspn(children, " ");
	}
	return -1;
}

static const char *
children_of(const char *parent)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (strcmp(shapes[i].parent, parent) == 0)
			return shapes[i].children;
	return NULL;
}

static void
check_space(xmlTextReader *r, const char *name)
{
	const char *prefix = (const char *)xmlTextReaderConstPrefix(r);
	const char *uri = (const char *)xmlTextReaderConstNamespaceUri(r);

	for (size_t i = 0; prefix != NULL && i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (strcmp(spaces[i][0], prefix) == 0 && strcmp(spaces[i][1], uri) != 0)
			fail_msg("%s is of %s", name, uri);
}

/* Checks order and repetition of a child. `ours`: also refuses children that are not in the
 * table. */
static void
check_child(struct open *parent, const char *name, bool ours)
{
	char mark = '\0';
	int place = parent->children != NULL ? place_of(parent->children, name, &mark) : -1;

	if (place < 0 && ours && parent->name[0] != '\0')
		fail_msg("%s in %s", name, parent->name);
	if (place < 0)
		return;
	if (place < parent->last || (place == parent->last && mark != '*'))
		fail_msg("%s in %s stands too late", name, parent->name);
	parent->last = place;
	parent->seen |= 1ULL << place;
}

static void
check_whole(const struct open *parent)
{
	const char *p = parent->children;

	for (int place = 0; p != NULL && *p != '\0'; place++) {
		size_t len = strcspn(p, " ");

		if (p[len - 1] == '!' && (parent->seen & 1ULL << place) == 0)
			fail_msg("%s lacks %.*s", parent->name, (int)len - 1, p);
		p += len + strspn(p + len, " ");
	}
}

/* Checks all elements of a file; returns their number. */
static int
check_shape(const char *path, bool ours)
{
	xmlTextReader *r = xmlReaderForFile(path, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
	struct open open[DEPTH] = { { 0 } };
	int count = 0;

	assert_non_null(r);
	while (xmlTextReaderRead(r) == 1) {
		int depth = xmlTextReaderDepth(r) + 1, type = xmlTextReaderNodeType(r);
		const char *name = (const char *)xmlTextReaderConstName(r);

		assert_true(depth < DEPTH);
		if (type == XML_READER_TYPE_ELEMENT) {
			count++;
			check_space(r, name);
			check_child(&open[depth - 1], name, ours);
			open[depth] = (struct open){ .children = children_of(name), .last = -1 };
			(void)snprintf(open[depth].name, sizeof(open[depth].name), "%s", name);
		}
		if (ours &&
		    (type == XML_READER_TYPE_END_ELEMENT ||
			(type == XML_READER_TYPE_ELEMENT && xmlTextReaderIsEmptyElement(r))))
			check_whole(&open[depth]);
	}
	xmlFreeTextReader(r);
	return count;
}

static void
wordpress_writes_this_shape(void **state)
{
	const char *path = export_path("64-block-test-data"),
		   *own = getenv("STET_WORDPRESS_EXPORT");

	(void)state;
	if (path == NULL && own == NULL)
		print_message("# skipped: no export of WordPress is here (shared/data/wxr)\n");
	if (path != NULL)
		assert_true(check_shape(path, false) > 1000);
	if (own != NULL)
		assert_true(check_shape(own, true) > 20);
}

static void
so_do_we(void **state)
{
	char export[] = "/tmp/stet-shape-XXXXXX", *dir;
	struct harness *h = leaving_furnished();

	(void)state;
	leaving_fill(h);
	dir = leaving_close(h, leaving_locales);
	close(mkstemp(export));
	assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	assert_true(check_shape(export, true) > 200);
	leaving_remove(dir);
	(void)unlink(export);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(wordpress_writes_this_shape),
		cmocka_unit_test(so_do_we) };

	/* t/portable needs no statements of this test: other processes create the tables. */
	if (getenv("STET_RECORD") != NULL)
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
