# create-stet, a package of npm that begins a site with a starter, and has the packages that the site needs.
NPM_PACKAGES += create-stet
create-stet: client render
create-stet-check: create-stet
EXTRA_DIST += etc/create-stet t/create-stet
