/* pagerow.c - checks of a module's rows for admin pages and field widgets. */
/* cmocka.h needs these headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "module/descriptor.h"
#include <stet/module.h>
#include <string.h>

#define LONG "a-name-of-thirty-three-characters"

/* Tests use two rows of each; the others make one more than a table may have. */
#define ROWS 65
static struct stet_admin_page page[ROWS];
static struct stet_field_widget widget[ROWS];
static const char *list[70]; /* a list of names */
static struct stet_module m;

/* Resets to a module with valid rows. */
static void
renew(void)
{
	memset(list, 0, sizeof(list));
	list[0] = "integer";
	page[0] = (struct stet_admin_page){ "desk", "Desk", "index.html", .ops = list };
	page[1] = (struct stet_admin_page){ "office", "Office", "inner/office.html" };
	widget[0] = (struct stet_field_widget){ "rate", "Rate", "rate.html", list, list };
	widget[1] = (struct stet_field_widget){ "desk", "Desk", "rate.html", list };
	m = (struct stet_module){ STET_MODULE_HEAD_AS("some"), .version = "1",
		.admin_pages = { page, 2, sizeof(page[0]) },
		.field_widgets = { widget, 2, sizeof(widget[0]) } };
}

/* Makes one change, and checks that the descriptor is refused with this reason. */
#define assert_bad(change_, says_)                                                  \
	do {                                                                        \
		const char *why_;                                                   \
		renew();                                                            \
		change_;                                                            \
		why_ = descriptor_check(&m, "some");                                \
		if (why_ == NULL || strstr(why_, (says_)) == NULL)                  \
			fail_msg("%s: %s", #change_, why_ != NULL ? why_ : "good"); \
	} while (0)

static void
good_rows_are_taken(void **state)
{
	(void)state;
	renew();
	assert_null(descriptor_check(&m, "some"));
}

static void
a_bad_name_is_refused(void **state)
{
	static const char *const names[] = { NULL, "", "Desk", "a_b", "-a", "a/b", LONG };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_bad(page[1].name = names[i], "has a bad name");
		assert_bad(widget[1].name = names[i], "has a bad name");
	}
	assert_bad(page[1].name = "desk", "it has two pages of one name");
	assert_bad(widget[1].name = "rate", "it has two controls of one name");
}

static void
a_file_that_leads_elsewhere_is_refused(void **state)
{
	static const char *const files[] = { NULL, "", "/a.html", "../a.html", "a/../b.html",
		".a.html", "a/.b", "a//b", "a/", "a/b/c.html", "a b.html", "a\\b.html",
		"a%2fb.html", "_a.html", "-a.html" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_bad(page[0].file = files[i], "has a bad file name");
		assert_bad(widget[0].file = files[i], "has a bad file name");
	}
}

static void
a_title_is_needed(void **state)
{
	(void)state;
	assert_bad(page[0].title = NULL, "has no title, or too long a one");
	assert_bad(page[0].title = LONG LONG LONG, "has no title, or too long a one");
	assert_bad(widget[0].label = "", "has no title, or too long a one");
}

/* Fills a list with more names than allowed. */
static void
fill_list(void)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]) - 1; i++)
		list[i] = "integer";
}

static void
lists_and_tables_have_bounds(void **state)
{
	(void)state;
	assert_bad(m.admin_pages.count = ROWS, "it has too many pages");
	assert_bad(m.field_widgets.count = ROWS, "it has too many controls of fields");
	assert_bad(widget[0].types = NULL, "names no field types, or too many");
	assert_bad(list[0] = NULL, "names no field types, or too many");
	assert_bad(fill_list(), "names too many operations");
	assert_bad((fill_list(), m.admin_pages.count = 0, widget[0].ops = NULL),
	    "names no field types, or too many");
}

static void
a_block_has_a_name_of_its_own(void **state)
{
	static const char *const names[] = { "", "2d", "a-b", "a b", "image", "callout", "block",
		LONG };

	(void)state;
	renew();
	widget[0] = (struct stet_field_widget){ "quiz", "Quiz", "quiz.html", .block = "quiz2" };
	widget[1].block = "Poll";
	assert_null(descriptor_check(&m, "some"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_bad(widget[1].block = names[i], "a control of it");
	assert_bad((widget[0].block = "quiz", widget[1].block = "quiz"),
	    "it has two controls of one block");
	assert_bad((widget[0].block = "quiz", fill_list(), page[0].ops = widget[0].ops = NULL),
	    "names no field types, or too many");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_rows_are_taken),
		cmocka_unit_test(a_bad_name_is_refused),
		cmocka_unit_test(a_file_that_leads_elsewhere_is_refused),
		cmocka_unit_test(a_title_is_needed),
		cmocka_unit_test(lists_and_tables_have_bounds),
		cmocka_unit_test(a_block_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
