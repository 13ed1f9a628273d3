module_LTLIBRARIES += modules/export.la
modules_export_la_SOURCES = \
	modules/export/attachments.c \
	modules/export/command.c \
	modules/export/command.h \
	modules/export/escape.c \
	modules/export/export.c \
	modules/export/export.h \
	modules/export/head.c \
	modules/export/items.c \
	modules/export/leaving.h \
	modules/export/names.c \
	modules/export/numbers.c \
	modules/export/pages.c \
	modules/export/post.c \
	modules/export/relations.c \
	modules/export/structure.c \
	modules/export/talk.c \
	modules/export/values.c \
	modules/export/xml.c \
	modules/export/xml.h
modules_export_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(XML_CFLAGS)
modules_export_la_CFLAGS = $(MODULE_CFLAGS)
modules_export_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_export_la_LIBADD = libstet.la $(DEPS_LIBS) $(XML_LIBS)
