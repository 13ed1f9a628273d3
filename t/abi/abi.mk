# Plugins compiled against headers of earlier versions, in the daemon of today. `make abi-check` runs the same
# in a daemon whose every public structure is longer; t/abi/README says more.
check_PROGRAMS += t/abi/abi.t
t_abi_abi_t_SOURCES = t/abi/abi.c t/module/lib/inside.c t/module/lib/inside.h \
	t/module/lib/neighbour.c t/module/lib/neighbour.h
t_abi_abi_t_LDADD = $(LDADD) -lpthread

ABI_OLD = t/abi/1/house-rules.la t/abi/2.0/house-rules.la t/abi/2.0/elder.la \
	t/abi/2.0/gallery.la
check_LTLIBRARIES += $(ABI_OLD)

t_abi_1_house_rules_la_SOURCES = t/abi/1/house-rules.c
t_abi_1_house_rules_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/t/abi/1/include $(DEPS_CFLAGS)
t_abi_1_house_rules_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_1_house_rules_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_1_house_rules_la_LIBADD = libstet.la $(DEPS_LIBS)

t_abi_2_0_house_rules_la_SOURCES = t/abi/2.0/house-rules.c
t_abi_2_0_house_rules_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/t/abi/2.0/include $(DEPS_CFLAGS)
t_abi_2_0_house_rules_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_2_0_house_rules_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_2_0_house_rules_la_LIBADD = libstet.la $(DEPS_LIBS)

t_abi_2_0_elder_la_SOURCES = t/abi/2.0/elder.c
t_abi_2_0_elder_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/t/abi/2.0/include $(DEPS_CFLAGS)
t_abi_2_0_elder_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_2_0_elder_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_2_0_elder_la_LIBADD = libstet.la $(DEPS_LIBS)

t_abi_2_0_gallery_la_SOURCES = t/abi/2.0/gallery.c
t_abi_2_0_gallery_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/t/abi/2.0/include $(DEPS_CFLAGS)
t_abi_2_0_gallery_la_CFLAGS = $(MODULE_CFLAGS)
t_abi_2_0_gallery_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_abi_2_0_gallery_la_LIBADD = libstet.la $(DEPS_LIBS)

EXTRA_DIST += t/abi/README t/abi/grown t/abi/structures t/abi/1/include t/abi/2.0/include

# What goes into the grown daemon's tree as it was built here: plugins of earlier headers, and the examples.
ABI_PLUGINS = $(ABI_OLD) plugin-sdk/examples/house-rules/house-rules.la \
	plugin-sdk/examples/downloads/downloads.la plugin-sdk/examples/word-count/word-count.la
ABI_TESTS = t/abi/abi.t plugin-sdk/examples/house-rules/check.t plugin-sdk/examples/downloads/check.t \
	plugin-sdk/examples/word-count/check.t
abi-check: $(ABI_PLUGINS)
	+@MAKE='$(MAKE)' CC='$(CC)' $(SHELL) $(srcdir)/t/abi/grown '$(abs_srcdir)' '$(abs_builddir)' \
		'$(ABI_PLUGINS)' '$(ABI_TESTS)' '$(module_LTLIBRARIES)'
.PHONY: abi-check
