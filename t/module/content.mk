# Items: one by one, and in lists.
POSTS = t/module/posts.c t/module/posts.h
check_PROGRAMS += t/module/content.t
t_module_content_t_SOURCES = t/module/content.c $(POSTS)
t_module_content_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_content_t_CFLAGS = $(TEST_CFLAGS)
t_module_content_t_LDADD = $(HARNESS_LDADD)
check_PROGRAMS += t/module/listing.t
t_module_listing_t_SOURCES = t/module/listing.c $(POSTS)
t_module_listing_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_listing_t_CFLAGS = $(TEST_CFLAGS)
t_module_listing_t_LDADD = $(HARNESS_LDADD)
check_LTLIBRARIES += t/module/meddler/meddler.la
t_module_meddler_meddler_la_SOURCES = t/module/meddler.c
t_module_meddler_meddler_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_meddler_meddler_la_CFLAGS = $(MODULE_CFLAGS)
t_module_meddler_meddler_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_meddler_meddler_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/hooked.t
t_module_hooked_t_SOURCES = t/module/hooked.c $(POSTS)
t_module_hooked_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_hooked_t_CFLAGS = $(TEST_CFLAGS)
t_module_hooked_t_LDADD = $(HARNESS_LDADD)

dist_check_SCRIPTS += t/cli/import.t
