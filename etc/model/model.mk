# @stet/model, a package of npm for sites: packed into the build directory. It needs npm, and is skipped without it.
.PHONY: model
NPM_PACKAGES += model
model: client render
	@$(IN_TREES) $(SHELL) $(srcdir)/etc/model/make
EXTRA_DIST += \
	etc/model/src \
	etc/model/.npmrc \
	etc/model/README.md \
	etc/model/build.mjs \
	etc/model/make \
	etc/model/package-lock.json \
	etc/model/package.json \
	etc/model/style.css \
	etc/model/tsconfig.json
