# Sites to begin with: each is built with the demo site and looked at. Needs npm, and is skipped without it.
# Next is 370 MB, and has a target of its own.
.PHONY: starter starter-next
starter: all model
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/starters/make
starter-next: all model
	@$(IN_TREES) STARTERS=next $(SHELL) $(srcdir)/etc/starters/make

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
	etc/starters/next/public \
	etc/starters/next/src \
	etc/starters/next/.gitignore \
	etc/starters/next/.npmrc \
	etc/starters/next/README.md \
	etc/starters/next/finish.mjs \
	etc/starters/next/next.config.mjs \
	etc/starters/next/start.mjs \
	etc/starters/next/package-lock.json \
	etc/starters/next/package.json \
	etc/starters/next/tsconfig.json \
	etc/starters/plain/public \
	etc/starters/plain/.gitignore \
	etc/starters/plain/.npmrc \
	etc/starters/plain/README.md \
	etc/starters/plain/build.mjs \
	etc/starters/plain/config.mjs \
	etc/starters/plain/dev.mjs \
	etc/starters/plain/package.json \
	etc/starters/plain/pages.mjs \
	etc/starters/plain/style.css \
	t/starter/README \
	t/starter/audit.mjs \
	t/starter/built.mjs \
	t/starter/exports.mjs \
	t/starter/imported.mjs \
	t/starter/main.mjs \
	t/starter/web.mjs
