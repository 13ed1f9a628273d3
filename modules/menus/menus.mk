module_LTLIBRARIES += modules/menus.la
modules_menus_la_SOURCES = \
	modules/menus/arrange.c \
	modules/menus/items.c \
	modules/menus/menu.c \
	modules/menus/menus.c \
	modules/menus/menus.h \
	modules/menus/show.c \
	modules/menus/target.c \
	modules/menus/uses.c
modules_menus_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_menus_la_CFLAGS = $(MODULE_CFLAGS)
modules_menus_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_menus_la_LIBADD = libstet.la $(DEPS_LIBS)
