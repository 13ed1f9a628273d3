# Feeds and the sitemap, read by libxml2.
check_PROGRAMS += t/module/feeds/feeds.t
t_module_feeds_feeds_t_SOURCES = \
	t/module/feeds/feeds.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/xmlread.c \
	t/module/lib/xmlread.h \
	$(POSTS)
t_module_feeds_feeds_t_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
t_module_feeds_feeds_t_LDADD = $(LDADD) $(XML_LIBS)
check_PROGRAMS += t/module/feeds/sitemap.t
t_module_feeds_sitemap_t_SOURCES = \
	t/module/feeds/sitemap.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/xmlread.c \
	t/module/lib/xmlread.h \
	$(POSTS)
t_module_feeds_sitemap_t_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
t_module_feeds_sitemap_t_LDADD = $(LDADD) $(XML_LIBS)
check_PROGRAMS += t/module/feeds/addresses.t
t_module_feeds_addresses_t_SOURCES = \
	t/module/feeds/addresses.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
