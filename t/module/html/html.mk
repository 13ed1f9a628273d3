# The converter of texts, file by file.
CONVERT_SOURCES = \
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
	modules/html/convert/player.c \
	modules/html/convert/pool.c \
	modules/html/convert/pool.h \
	modules/html/convert/runs.c \
	modules/html/convert/runs.h \
	modules/html/convert/trees.c \
	modules/html/convert/trees.h \
	modules/html/convert/places.c \
	modules/html/convert/places.h \
	modules/html/convert/shortcode.c \
	modules/html/convert/table.c
check_PROGRAMS += t/module/html/convert.t
t_module_html_convert_t_SOURCES = t/module/html/convert.c t/module/html/rows.c t/module/html/rows.h $(CONVERT_SOURCES)
t_module_html_convert_t_CPPFLAGS = $(WXR_CPPFLAGS) -I$(top_srcdir)/modules/html $(GUMBO_CFLAGS)
t_module_html_convert_t_LDADD = $(WXR_LDADD) $(GUMBO_LIBS)
check_PROGRAMS += t/module/html/order.t
t_module_html_order_t_SOURCES = t/module/html/order.c t/module/html/rows.c t/module/html/rows.h $(CONVERT_SOURCES)
t_module_html_order_t_CPPFLAGS = $(WXR_CPPFLAGS) -I$(top_srcdir)/modules/html $(GUMBO_CFLAGS)
t_module_html_order_t_LDADD = $(WXR_LDADD) $(GUMBO_LIBS)
check_PROGRAMS += t/module/html/converted.t
t_module_html_converted_t_SOURCES = t/module/html/converted.c $(CONVERT_SOURCES) $(WXR_SOURCES)
t_module_html_converted_t_CPPFLAGS = $(WXR_CPPFLAGS) -I$(top_srcdir)/modules/html $(GUMBO_CFLAGS)
t_module_html_converted_t_LDADD = $(WXR_LDADD) $(GUMBO_LIBS)
# Portable Text as markup, read again.
MARKUP_SOURCES = \
	modules/html/markup/inline.c \
	modules/html/markup/markup.c \
	modules/html/markup/markup.h \
	modules/html/markup/object.c \
	modules/html/markup/part.h \
	modules/html/markup/place.c \
	modules/html/markup/put.c \
	modules/html/markup/same.c \
	modules/html/markup/table.c
check_PROGRAMS += t/module/html/markup.t
t_module_html_markup_t_SOURCES = \
	t/module/html/markup.c \
	t/module/lib/plain.c \
	t/module/lib/plain.h \
	$(CONVERT_SOURCES) \
	$(MARKUP_SOURCES) \
	$(WXR_SOURCES)
t_module_html_markup_t_CPPFLAGS = $(WXR_CPPFLAGS) -I$(top_srcdir)/modules/html $(GUMBO_CFLAGS)
t_module_html_markup_t_LDADD = $(WXR_LDADD) $(GUMBO_LIBS) -lm
