# Settings of the site, and a module that has two pictures.
check_PROGRAMS += t/module/settings/settings.t
t_module_settings_settings_t_SOURCES = \
	t/module/settings/settings.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_LTLIBRARIES += t/plugins/gallery/gallery.la
t_plugins_gallery_gallery_la_SOURCES = t/plugins/gallery.c
t_plugins_gallery_gallery_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_gallery_gallery_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_gallery_gallery_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_gallery_gallery_la_LIBADD = libstet.la $(DEPS_LIBS)
