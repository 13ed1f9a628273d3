# Plugins whose structures are shorter than those of the daemon: `make abi-check` runs this test in a daemon whose
# every public structure is longer; t/abi/README says more.
check_PROGRAMS += t/abi/abi.t
t_abi_abi_t_SOURCES = \
	t/abi/abi.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h
t_abi_abi_t_LDADD = $(LDADD) -lpthread

ABI_OWN = t/abi/elder.la t/abi/gallery.la
check_LTLIBRARIES += $(ABI_OWN)

t_abi_elder_la_SOURCES = t/abi/elder.c t/abi/elder.h t/abi/elderservices.c
t_abi_elder_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_abi_elder_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_elder_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_elder_la_LIBADD = libstet.la $(DEPS_LIBS)

t_abi_gallery_la_SOURCES = t/abi/gallery.c
t_abi_gallery_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_abi_gallery_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_gallery_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_gallery_la_LIBADD = libstet.la $(DEPS_LIBS)

EXTRA_DIST += t/abi/README t/abi/grown t/abi/structures

# Copied into the tree of the grown daemon as they were built here: these plugins, and the examples.
ABI_PLUGINS = $(ABI_OWN) \
	plugin-sdk/examples/downloads/downloads.la \
	plugin-sdk/examples/house-rules/house-rules.la \
	plugin-sdk/examples/word-count/word-count.la
ABI_TESTS = \
	t/abi/abi.t \
	plugin-sdk/examples/downloads/check.t \
	plugin-sdk/examples/house-rules/check.t \
	plugin-sdk/examples/word-count/check.t
abi-check: $(ABI_PLUGINS)
	+@MAKE='$(MAKE)' CC='$(CC)' $(SHELL) $(srcdir)/t/abi/grown '$(abs_srcdir)' '$(abs_builddir)' \
		'$(ABI_PLUGINS)' '$(ABI_TESTS)' '$(module_LTLIBRARIES)'
.PHONY: abi-check
