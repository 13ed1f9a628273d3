# The manual as static files, in the build tree: make docs. Skipped without mandoc, cmark-gfm, curl or node.
.PHONY: docs docs-check
docs: all
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/docs/make
docs-check: docs
	@$(IN_TREES) $(SHELL) $(srcdir)/t/docs/check
EXTRA_DIST += \
	etc/docs/README \
	etc/docs/make \
	etc/docs/pages.mjs \
	etc/docs/search.js \
	etc/docs/style.css \
	t/docs/README \
	t/docs/book.mjs \
	t/docs/check \
	t/docs/check.mjs \
	t/docs/commands.mjs \
	t/docs/examples \
	t/docs/examples.mjs \
	t/docs/main.mjs \
	t/docs/manuals.mjs \
	t/docs/site.mjs
