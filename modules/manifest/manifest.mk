module_LTLIBRARIES += modules/manifest.la
modules_manifest_la_SOURCES = \
	modules/manifest/forms.c modules/manifest/forms.h \
	modules/manifest/manifest.c \
	modules/manifest/pages.c \
	modules/manifest/pages.h
modules_manifest_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_manifest_la_CFLAGS = $(MODULE_CFLAGS)
modules_manifest_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_manifest_la_LIBADD = libstet.la $(DEPS_LIBS)
