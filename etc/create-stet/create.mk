# create-stet, a package of npm that begins a site with a starter: packed into the build directory; create-check tests
# it. Both need npm, and are skipped without it.
.PHONY: create create-check
NPM_PACKAGES += create
create: model
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/create-stet/make
create-check: create
	@$(IN_TREES) $(SHELL) $(srcdir)/t/create/run
EXTRA_DIST += \
	etc/create-stet/README.md \
	etc/create-stet/build.mjs \
	etc/create-stet/index.mjs \
	etc/create-stet/make \
	etc/create-stet/package.json \
	t/create/README \
	t/create/main.mjs \
	t/create/run
