module_LTLIBRARIES += modules/export.la
modules_export_la_SOURCES = \
	modules/export/attachments.c \
	modules/export/command.c \
	modules/export/command.h \
	modules/export/definitions.c \
	modules/export/document.c \
	modules/export/escape.c \
	modules/export/export.c \
	modules/export/export.h \
	modules/export/folder.c \
	modules/export/head.c \
	modules/export/items.c \
	modules/export/leaving.h \
	modules/export/library.c \
	modules/export/names.c \
	modules/export/numbers.c \
	modules/export/object.c \
	modules/export/outgoing.c \
	modules/export/outgoing.h \
	modules/export/pages.c \
	modules/export/post.c \
	modules/export/redirects.c \
	modules/export/relations.c \
	modules/export/structure.c \
	modules/export/talk.c \
	modules/export/text.c \
	modules/export/text.h \
	modules/export/values.c \
	modules/export/xml.c \
	modules/export/xml.h \
	modules/export/yaml.c
modules_export_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(XML_CFLAGS)
modules_export_la_CFLAGS = $(MODULE_CFLAGS)
modules_export_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_export_la_LIBADD = libstet.la $(DEPS_LIBS) $(XML_LIBS)
