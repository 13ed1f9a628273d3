# What a release consists of, in release/ of the build, from a tagged commit: etc/packaging/release has its variables,
# RELEASE_REF=HEAD and RELEASE_PARTS="source npm". release-same makes it twice and compares; first-check gets it, and
# the sources, onto a bare system (SUITE=bookworm, FIRST_WAYS="packages archive git"), and says what that takes.
.PHONY: first-check release release-same
release:
	@$(SHELL) $(srcdir)/etc/packaging/release '$(abs_srcdir)' '$(abs_builddir)' '$(VERSION)' \
	    '$(abs_builddir)/release'
release-same:
	@$(SHELL) $(srcdir)/t/packaging/same '$(abs_srcdir)' '$(abs_builddir)' '$(VERSION)'
first-check:
	@export STET_SYSTEMS="$${STET_SYSTEMS:-$(abs_builddir)/systems}"; \
	$(SHELL) $(srcdir)/t/packaging/first '$(abs_srcdir)' '$(abs_builddir)/release' "$${SUITE:-trixie}"
dist_check_SCRIPTS += t/packaging/sources.t t/packaging/systems.t
