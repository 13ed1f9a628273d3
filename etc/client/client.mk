# @stet/client, a package of npm for sites: packed into the build directory; client-check tests it with the daemon of the
# build tree. Both need npm, and are skipped without it.
.PHONY: client client-check
client:
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/client/make
client-check: all client
	@$(IN_TREES) $(SHELL) $(srcdir)/t/client/run
EXTRA_DIST += \
	etc/client/src \
	etc/client/.npmrc \
	etc/client/README.md \
	etc/client/build.mjs \
	etc/client/make \
	etc/client/package-lock.json \
	etc/client/package.json \
	etc/client/tsconfig.json \
	t/client/README \
	t/client/browser.mjs \
	t/client/examples.mjs \
	t/client/hostile.mjs \
	t/client/main.mjs \
	t/client/reading.mjs \
	t/client/run \
	t/client/site.mjs \
	t/client/tsconfig.json \
	t/client/types.ts \
	t/client/writing.mjs
