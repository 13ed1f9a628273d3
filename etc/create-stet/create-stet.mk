# create-stet, a package of npm that begins a site with a starter, and has the packages that the site needs.
NPM_PACKAGES += create-stet
NPM_CHECKS += create-stet-check
create-stet: model
create-stet-check: create-stet
EXTRA_DIST += etc/create-stet t/create-stet
