# @stet/render, a package of npm for sites: Portable Text as HTML.
NPM_PACKAGES += render
NPM_CHECKS += render-check
render-check: render
EXTRA_DIST += etc/render t/render
