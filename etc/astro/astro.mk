# @stet/astro, a package of npm for sites with Astro: packed into the build directory; astro-check tests it with the
# daemon of the build tree and with the Astro of the starter. Both need npm, and are skipped without it.
.PHONY: astro astro-check
NPM_PACKAGES += astro
astro: client render
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/astro/make
astro-check: all astro
	@$(IN_TREES) $(SHELL) $(srcdir)/t/astro/run
EXTRA_DIST += \
	etc/astro/src \
	etc/astro/README.md \
	etc/astro/build.mjs \
	etc/astro/make \
	etc/astro/package.json \
	etc/astro/tsconfig.json \
	t/astro/site \
	t/astro/README \
	t/astro/direct.mjs \
	t/astro/fields.mjs \
	t/astro/main.mjs \
	t/astro/run \
	t/astro/store.mjs \
	t/astro/whole.mjs
