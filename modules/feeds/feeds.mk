sdkinclude_HEADERS += plugin-sdk/include/stet/feeds.h
module_LTLIBRARIES += modules/feeds.la
modules_feeds_la_SOURCES = \
	modules/feeds/feed.c \
	modules/feeds/feeds.c \
	modules/feeds/feeds.h \
	modules/feeds/html.c \
	modules/feeds/mark.c \
	modules/feeds/out.c \
	modules/feeds/parts.c \
	modules/feeds/site.c \
	modules/feeds/sitemap.c
modules_feeds_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_feeds_la_CFLAGS = $(MODULE_CFLAGS)
modules_feeds_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_feeds_la_LIBADD = libstet.la $(DEPS_LIBS)
