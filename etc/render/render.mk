# @stet/render, a package of npm for sites: packed into the build directory; render-check tests it. Both need npm, and
# are skipped without it.
.PHONY: render render-check
NPM_PACKAGES += render
render:
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/render/make
render-check: render
	@$(IN_TREES) $(SHELL) $(srcdir)/t/render/run
EXTRA_DIST += \
	etc/render/src \
	etc/render/.npmrc \
	etc/render/README.md \
	etc/render/build.mjs \
	etc/render/make \
	etc/render/package-lock.json \
	etc/render/package.json \
	etc/render/style.css \
	etc/render/tsconfig.json \
	t/render/README \
	t/render/main.mjs \
	t/render/run \
	t/render/vectors.mjs
