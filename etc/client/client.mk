# @stet/client, a package of npm for sites.
NPM_PACKAGES += client
NPM_CHECKS += client-check
client-check: all client
EXTRA_DIST += etc/client t/client
