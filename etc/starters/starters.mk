# Sites to begin with: each is built with the demo site and looked at. Needs npm, and is skipped without it.
.PHONY: starter
starter: all client render
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/starters/make
EXTRA_DIST += \
	etc/starters/astro/public \
	etc/starters/astro/src \
	etc/starters/README \
	etc/starters/make \
	etc/starters/astro/.gitignore \
	etc/starters/astro/.npmrc \
	etc/starters/astro/README.md \
	etc/starters/astro/astro.config.mjs \
	etc/starters/astro/package-lock.json \
	etc/starters/astro/package.json \
	etc/starters/astro/tsconfig.json \
	t/starter/README \
	t/starter/exports.mjs \
	t/starter/imported.mjs \
	t/starter/main.mjs \
	t/starter/web.mjs
