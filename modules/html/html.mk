sdkinclude_HEADERS += plugin-sdk/include/stet/portabletext.h
module_LTLIBRARIES += modules/html.la
modules_html_la_SOURCES = \
	modules/html/convert/addresses.c \
	modules/html/convert/addresses.h \
	modules/html/convert/blocks.c \
	modules/html/convert/blocks.h \
	modules/html/convert/check.c \
	modules/html/convert/convert.c \
	modules/html/convert/convert.h \
	modules/html/convert/element.c \
	modules/html/convert/fence.c \
	modules/html/convert/figure.c \
	modules/html/convert/flow.c \
	modules/html/convert/flow.h \
	modules/html/convert/handle.h \
	modules/html/convert/handlers.c \
	modules/html/convert/html.c \
	modules/html/convert/html.h \
	modules/html/convert/inner.c \
	modules/html/convert/kept.c \
	modules/html/convert/para.c \
	modules/html/convert/places.c \
	modules/html/convert/places.h \
	modules/html/convert/player.c \
	modules/html/convert/pool.c \
	modules/html/convert/pool.h \
	modules/html/convert/runs.c \
	modules/html/convert/runs.h \
	modules/html/convert/shortcode.c \
	modules/html/convert/table.c \
	modules/html/convert/trees.c \
	modules/html/convert/trees.h \
	modules/html/html.c \
	modules/html/markup/inline.c \
	modules/html/markup/markup.c \
	modules/html/markup/markup.h \
	modules/html/markup/object.c \
	modules/html/markup/part.h \
	modules/html/markup/place.c \
	modules/html/markup/put.c \
	modules/html/markup/same.c \
	modules/html/markup/table.c
modules_html_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(GUMBO_CFLAGS) -I$(top_srcdir)/modules/html
modules_html_la_CFLAGS = $(MODULE_CFLAGS)
modules_html_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_html_la_LIBADD = libstet.la $(DEPS_LIBS) $(GUMBO_LIBS)
