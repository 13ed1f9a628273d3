# @stet/client, a package of npm for sites: built, tested with the daemon of the build tree, and packed into the build
# directory. Needs npm, and is skipped without it.
.PHONY: client
client: all
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/client/make
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
	t/client/site.mjs \
	t/client/tsconfig.json \
	t/client/types.ts \
	t/client/writing.mjs
