# @stet/model, a package of npm for sites: the pages that a site consists of. The starters test it.
NPM_PACKAGES += model
model: client render
EXTRA_DIST += etc/model
