# Sites to begin with: each is built with the demo site and looked at. Needs npm, and is skipped without it.
.PHONY: starter
starter: all client render
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/starters/make

# For site builders: starters, and the packages of npm that have been packed, here or for the release that this is.
NPM_TARBALLS = *-$(VERSION).tgz $(srcdir)/etc/npm/*-$(VERSION).tgz
.PHONY: install-sites uninstall-sites
install-sites:
	@(cd $(srcdir)/etc/starters && find */ -name node_modules -prune -o -type f -print) | while read -r f; do \
	    $(INSTALL_DATA) -D "$(srcdir)/etc/starters/$$f" "$(DESTDIR)$(pkgdatadir)/starters/$$f" || exit 1; \
	done
	@for f in $(NPM_TARBALLS); do \
	    test ! -f "$$f" || $(INSTALL_DATA) -D "$$f" "$(DESTDIR)$(pkgdatadir)/npm/$${f##*/}" || exit 1; \
	done
uninstall-sites:
	rm -rf '$(DESTDIR)$(pkgdatadir)/starters' '$(DESTDIR)$(pkgdatadir)/npm'

EXTRA_DIST += \
	etc/starters/astro/public \
	etc/starters/astro/src \
	etc/starters/README \
	etc/starters/install \
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
