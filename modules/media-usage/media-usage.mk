module_LTLIBRARIES += modules/media-usage.la
modules_media_usage_la_SOURCES = \
	modules/media-usage/activate.c \
	modules/media-usage/activation.c \
	modules/media-usage/coverage.c \
	modules/media-usage/deletion.c \
	modules/media-usage/entry.c \
	modules/media-usage/extract.c \
	modules/media-usage/holders.c \
	modules/media-usage/media-usage.c \
	modules/media-usage/media-usage.h \
	modules/media-usage/read.c \
	modules/media-usage/refs.c \
	modules/media-usage/repair.c \
	modules/media-usage/scan.c \
	modules/media-usage/urls.c \
	modules/media-usage/verify.c \
	modules/media-usage/work.c
modules_media_usage_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_media_usage_la_CFLAGS = $(MODULE_CFLAGS)
modules_media_usage_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_media_usage_la_LIBADD = libstet.la $(DEPS_LIBS)
