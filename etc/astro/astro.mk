# @stet/astro, a package of npm for sites with Astro. It is tested with the Astro of the starter.
NPM_PACKAGES += astro
NPM_CHECKS += astro-check
astro: client render
astro-check: all astro
EXTRA_DIST += etc/astro t/astro
