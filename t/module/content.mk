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
