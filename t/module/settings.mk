# Settings of the site, and a module that has two pictures.
check_PROGRAMS += t/module/settings.t
t_module_settings_t_SOURCES = t/module/settings.c $(POSTS) t/module/inside.c t/module/inside.h

check_LTLIBRARIES += t/module/gallery/gallery.la
t_module_gallery_gallery_la_SOURCES = t/module/gallery.c
t_module_gallery_gallery_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_gallery_gallery_la_CFLAGS = $(MODULE_CFLAGS)
t_module_gallery_gallery_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_gallery_gallery_la_LIBADD = libstet.la $(DEPS_LIBS)
