module_LTLIBRARIES += modules/openapi.la
modules_openapi_la_SOURCES = \
	modules/openapi/answers.c \
	modules/openapi/openapi.c \
	modules/openapi/openapi.h \
	modules/openapi/paths.c \
	modules/openapi/place.c \
	modules/openapi/shapes.c
modules_openapi_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_openapi_la_CFLAGS = $(MODULE_CFLAGS)
modules_openapi_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_openapi_la_LIBADD = libstet.la $(DEPS_LIBS)
