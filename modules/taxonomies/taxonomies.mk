module_LTLIBRARIES += modules/taxonomies.la
modules_taxonomies_la_SOURCES = \
	modules/taxonomies/assign.c \
	modules/taxonomies/beside.c \
	modules/taxonomies/count.c \
	modules/taxonomies/define.c \
	modules/taxonomies/edit.c \
	modules/taxonomies/filter.c \
	modules/taxonomies/forget.c \
	modules/taxonomies/found.c \
	modules/taxonomies/items.c \
	modules/taxonomies/kept.c \
	modules/taxonomies/known.c \
	modules/taxonomies/list.c \
	modules/taxonomies/place.c \
	modules/taxonomies/recount.c \
	modules/taxonomies/related.c \
	modules/taxonomies/shown.c \
	modules/taxonomies/sought.c \
	modules/taxonomies/taxonomies.c \
	modules/taxonomies/taxonomies.h \
	modules/taxonomies/term.c \
	modules/taxonomies/tree.c \
	modules/taxonomies/untagged.c
modules_taxonomies_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_taxonomies_la_CFLAGS = $(MODULE_CFLAGS)
modules_taxonomies_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_taxonomies_la_LIBADD = libstet.la $(DEPS_LIBS) -lm
