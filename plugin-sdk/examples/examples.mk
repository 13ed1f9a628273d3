# The examples, built as modules of the build tree, and their tests.
EXAMPLE_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
check_LTLIBRARIES += plugin-sdk/examples/house-rules/house-rules.la \
	plugin-sdk/examples/downloads/downloads.la \
	plugin-sdk/examples/files-elsewhere/files-elsewhere.la \
	plugin-sdk/examples/swatches/swatches.la \
	plugin-sdk/examples/word-count/word-count.la

plugin_sdk_examples_house_rules_house_rules_la_SOURCES = \
	plugin-sdk/examples/house-rules/house-rules.c
plugin_sdk_examples_house_rules_house_rules_la_CPPFLAGS = $(MODULE_CPPFLAGS)
plugin_sdk_examples_house_rules_house_rules_la_CFLAGS = $(MODULE_CFLAGS)
plugin_sdk_examples_house_rules_house_rules_la_LDFLAGS = $(EXAMPLE_LDFLAGS)
plugin_sdk_examples_house_rules_house_rules_la_LIBADD = libstet.la $(DEPS_LIBS)

plugin_sdk_examples_downloads_downloads_la_SOURCES = plugin-sdk/examples/downloads/downloads.c
plugin_sdk_examples_downloads_downloads_la_CPPFLAGS = $(MODULE_CPPFLAGS)
plugin_sdk_examples_downloads_downloads_la_CFLAGS = $(MODULE_CFLAGS)
plugin_sdk_examples_downloads_downloads_la_LDFLAGS = $(EXAMPLE_LDFLAGS)
plugin_sdk_examples_downloads_downloads_la_LIBADD = libstet.la $(DEPS_LIBS)

plugin_sdk_examples_files_elsewhere_files_elsewhere_la_SOURCES = \
	plugin-sdk/examples/files-elsewhere/files-elsewhere.c
plugin_sdk_examples_files_elsewhere_files_elsewhere_la_CPPFLAGS = $(MODULE_CPPFLAGS)
plugin_sdk_examples_files_elsewhere_files_elsewhere_la_CFLAGS = $(MODULE_CFLAGS)
plugin_sdk_examples_files_elsewhere_files_elsewhere_la_LDFLAGS = $(EXAMPLE_LDFLAGS)
plugin_sdk_examples_files_elsewhere_files_elsewhere_la_LIBADD = libstet.la $(DEPS_LIBS)

plugin_sdk_examples_word_count_word_count_la_SOURCES = plugin-sdk/examples/word-count/word-count.c
plugin_sdk_examples_word_count_word_count_la_CPPFLAGS = $(MODULE_CPPFLAGS)
plugin_sdk_examples_word_count_word_count_la_CFLAGS = $(MODULE_CFLAGS)
plugin_sdk_examples_word_count_word_count_la_LDFLAGS = $(EXAMPLE_LDFLAGS)
plugin_sdk_examples_word_count_word_count_la_LIBADD = libstet.la $(DEPS_LIBS)

plugin_sdk_examples_swatches_swatches_la_SOURCES = plugin-sdk/examples/swatches/swatches.c
plugin_sdk_examples_swatches_swatches_la_CPPFLAGS = $(MODULE_CPPFLAGS)
plugin_sdk_examples_swatches_swatches_la_CFLAGS = $(MODULE_CFLAGS)
plugin_sdk_examples_swatches_swatches_la_LDFLAGS = $(EXAMPLE_LDFLAGS)
plugin_sdk_examples_swatches_swatches_la_LIBADD = libstet.la $(DEPS_LIBS)
# Its pages, beside the object, with what the SDK gives them; after it, since libtool empties the directory.
check_DATA = plugin-sdk/examples/swatches/pages.stamp
SWATCHES_PAGES = $(SWATCHES_FILES) plugin-sdk/pages/stet.css plugin-sdk/pages/stet.js
SWATCHES_FILES = plugin-sdk/examples/swatches/swatches.pages/colour.html \
	plugin-sdk/examples/swatches/swatches.pages/colour.js \
	plugin-sdk/examples/swatches/swatches.pages/colours.html \
	plugin-sdk/examples/swatches/swatches.pages/colours.js \
	plugin-sdk/examples/swatches/swatches.pages/sample.html \
	plugin-sdk/examples/swatches/swatches.pages/sample.js \
	plugin-sdk/examples/swatches/swatches.pages/swatches.css
plugin-sdk/examples/swatches/pages.stamp: plugin-sdk/examples/swatches/swatches.la $(SWATCHES_PAGES)
	$(AM_V_GEN)to=$(@D)/.libs/swatches.pages && $(MKDIR_P) $$to && chmod 755 $$to && \
	for file in $(SWATCHES_PAGES); do $(INSTALL_DATA) $(srcdir)/$$file $$to || exit 1; done && : >$@

EXTRA_DIST += plugin-sdk/examples/examples.mk

check_PROGRAMS += plugin-sdk/examples/house-rules/check.t plugin-sdk/examples/word-count/check.t \
	plugin-sdk/examples/swatches/check.t \
	plugin-sdk/examples/files-elsewhere/check.t \
	plugin-sdk/examples/downloads/check.t
plugin_sdk_examples_files_elsewhere_check_t_SOURCES = plugin-sdk/examples/files-elsewhere/check.c
plugin_sdk_examples_downloads_check_t_SOURCES = plugin-sdk/examples/downloads/check.c
plugin_sdk_examples_house_rules_check_t_SOURCES = plugin-sdk/examples/house-rules/check.c
plugin_sdk_examples_swatches_check_t_SOURCES = plugin-sdk/examples/swatches/check.c
EXTRA_plugin_sdk_examples_swatches_check_t_DEPENDENCIES = plugin-sdk/examples/swatches/pages.stamp
plugin_sdk_examples_word_count_check_t_SOURCES = plugin-sdk/examples/word-count/check.c
