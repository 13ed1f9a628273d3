module_LTLIBRARIES += modules/admin.la
modules_admin_la_SOURCES = \
	modules/admin/admin.c \
	modules/admin/admin.h \
	modules/admin/bundle.c \
	modules/admin/frames.c \
	modules/admin/policy.c \
	modules/admin/views.c \
	modules/admin/words.c
modules_admin_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DADMIN_PATH='"$(pkgdatadir)/admin"'
modules_admin_la_CFLAGS = $(MODULE_CFLAGS)
modules_admin_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_admin_la_LIBADD = libstet.la $(DEPS_LIBS)

# The pages: web/ bundled into web/bundle, which a release has, as it has configure. Wants npm. WATCH=1 bundles again
# whenever a source changes.
ADMIN_BUNDLE = $(srcdir)/modules/admin/web/bundle
ADMIN_FILES = \
	.npmrc \
	README \
	build \
	build.mjs \
	index.html \
	jsconfig.json \
	package.json \
	package-lock.json \
	main.js
ADMIN_DIRS = bundle editor frames lib pages shell style text ui
.PHONY: web
web:
	@$(SHELL) $(srcdir)/modules/admin/web/build '$(abs_builddir)/web' '$(ADMIN_BUNDLE)' $${WATCH:+--watch}

# Without a bundle the daemon says on the pages' address that they were not built.
install-admin:
	@if test -f $(ADMIN_BUNDLE)/index.html; then \
	    $(MKDIR_P) '$(DESTDIR)$(pkgdatadir)/admin/assets' && \
	    $(INSTALL_DATA) $(ADMIN_BUNDLE)/index.html $(ADMIN_BUNDLE)/LICENSES.txt '$(DESTDIR)$(pkgdatadir)/admin' && \
	    $(INSTALL_DATA) $(ADMIN_BUNDLE)/assets/* '$(DESTDIR)$(pkgdatadir)/admin/assets'; \
	else echo 'The admin pages are not installed: "make web" makes them.'; fi
uninstall-admin:
	rm -rf '$(DESTDIR)$(pkgdatadir)/admin'
