# A real WordPress is imported by its export file and by our exporter. Needs Debian's wordpress and mariadb-server, and
# Node.
.PHONY: wordpress
wordpress: all-am t/module/export/shape.t
	@LD_LIBRARY_PATH='$(abs_builddir)/.libs' $(IN_TREES) timeout -k 5 600 node $(srcdir)/t/wordpress/main.mjs
EXTRA_DIST += \
	t/wordpress/README \
	t/wordpress/export.php \
	t/wordpress/fill.php \
	t/wordpress/main.mjs \
	t/wordpress/wordpress.mjs
