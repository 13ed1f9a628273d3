# Sites to begin with: each is built with the demo site and looked at. Wants npm, and is skipped without it.
EXTRA_DIST += etc/starters/README etc/starters/astro/.gitignore etc/starters/astro/.npmrc etc/starters/astro/README.md \
	etc/starters/astro/astro.config.mjs etc/starters/astro/package-lock.json etc/starters/astro/package.json etc/starters/astro/public etc/starters/astro/src \
	etc/starters/astro/tsconfig.json etc/starters/make t/starter/README t/starter/main.mjs t/starter/web.mjs
.PHONY: starter
starter: client
	@STET_BUILD='$(abs_builddir)' STET_SOURCE='$(abs_srcdir)' $(SHELL) $(srcdir)/etc/starters/make
