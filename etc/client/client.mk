# @stet/client, a package of npm for sites: built, tested with the daemon of the build tree, and packed into the build
# directory. Wants npm, and is skipped without it.
EXTRA_DIST += etc/client/.npmrc etc/client/README.md etc/client/build.mjs etc/client/make etc/client/package-lock.json \
	etc/client/package.json etc/client/src etc/client/tsconfig.json
# One by one: build/t/client has the package in it once the tests have run.
EXTRA_DIST += t/client/README t/client/browser.mjs t/client/examples.mjs t/client/hostile.mjs t/client/main.mjs t/client/reading.mjs t/client/site.mjs \
	t/client/tsconfig.json t/client/types.ts t/client/writing.mjs
.PHONY: client
client: all
	@STET_BUILD='$(abs_builddir)' STET_SOURCE='$(abs_srcdir)' $(SHELL) $(srcdir)/etc/client/make
