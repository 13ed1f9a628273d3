# Plugins for tests: t/plugins/good has valid ones, t/plugins/broken those that are refused, t/plugins/bundled those
# that are loaded as bundled modules.
TEST_PLUGIN_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
LOOSE_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

check_LTLIBRARIES += t/plugins/good/notes.la \
	t/plugins/good/alpha.la \
	t/plugins/good/beta.la \
	t/plugins/good/needy.la \
	t/plugins/good/stumbler.la \
	t/plugins/good/faller.la \
	t/plugins/twins/twin-a.la \
	t/plugins/twins/other/twin_a.la \
	t/plugins/checks/checker.la \
	t/plugins/broken/wrong-abi.la \
	t/plugins/broken/new-abi.la \
	t/plugins/broken/wrong-note.la \
	t/plugins/broken/no-descriptor.la \
	t/plugins/broken/undefined.la \
	t/plugins/broken/other-name.la \
	t/plugins/broken/unknown-permission.la \
	t/plugins/broken/page-permission.la \
	t/plugins/broken/at-root.la \
	t/plugins/broken/lonely.la \
	t/plugins/broken/ring-a.la \
	t/plugins/broken/ring-b.la \
	t/plugins/broken/follower.la \
	t/plugins/bundled/route_thief.la \
	t/plugins/bundled/status_thief.la \
	t/plugins/bundled/command_thief.la \
	t/plugins/bundled/permission_thief.la

t_plugins_good_notes_la_SOURCES = t/plugins/notes.c
t_plugins_good_notes_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_good_notes_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_notes_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_notes_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_good_alpha_la_SOURCES = t/plugins/link.c
t_plugins_good_alpha_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"alpha"' -DSYMBOL=alpha_LTX_stet_module -DORDER=10
t_plugins_good_alpha_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_alpha_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_alpha_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_good_beta_la_SOURCES = t/plugins/link.c
t_plugins_good_beta_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"beta"' -DSYMBOL=beta_LTX_stet_module -DORDER=-5
t_plugins_good_beta_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_beta_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_beta_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_good_needy_la_SOURCES = t/plugins/link.c
t_plugins_good_needy_la_CPPFLAGS = $(MODULE_CPPFLAGS) \
	-DNAME='"needy"' -DSYMBOL=needy_LTX_stet_module -DORDER=0 -DNEEDS='"alpha"'
t_plugins_good_needy_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_needy_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_needy_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_good_stumbler_la_SOURCES = t/plugins/stumbler.c
t_plugins_good_stumbler_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_good_stumbler_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_stumbler_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_stumbler_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_good_faller_la_SOURCES = t/plugins/stumbler.c
t_plugins_good_faller_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DFALLS
t_plugins_good_faller_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_good_faller_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_good_faller_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_checks_checker_la_SOURCES = t/plugins/checker.c
t_plugins_checks_checker_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_checks_checker_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_checks_checker_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_checks_checker_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_twins_twin_a_la_SOURCES = t/plugins/broken.c
t_plugins_twins_twin_a_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"twin-a"' -DSYMBOL=twin_a_LTX_stet_module
t_plugins_twins_twin_a_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_twins_twin_a_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_twins_twin_a_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_twins_other_twin_a_la_SOURCES = t/plugins/broken.c
t_plugins_twins_other_twin_a_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"twin_a"' -DSYMBOL=twin_a_LTX_stet_module
t_plugins_twins_other_twin_a_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_twins_other_twin_a_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_twins_other_twin_a_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_wrong_abi_la_SOURCES = t/plugins/broken.c
t_plugins_broken_wrong_abi_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"wrong-abi"' \
	-DSYMBOL=wrong_abi_LTX_stet_module -DMAJOR=99
t_plugins_broken_wrong_abi_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_wrong_abi_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_wrong_abi_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_new_abi_la_SOURCES = t/plugins/broken.c
t_plugins_broken_new_abi_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"new-abi"' \
	-DSYMBOL=new_abi_LTX_stet_module -DMINOR=9
t_plugins_broken_new_abi_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_new_abi_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_new_abi_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_wrong_note_la_SOURCES = t/plugins/broken.c
t_plugins_broken_wrong_note_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"wrong-note"' \
	-DSYMBOL=wrong_note_LTX_stet_module -DNOTE='"jansson3 time32"'
t_plugins_broken_wrong_note_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_wrong_note_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_wrong_note_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_no_descriptor_la_SOURCES = t/plugins/broken.c
t_plugins_broken_no_descriptor_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"no-descriptor"' \
	-DSYMBOL=nothing_of_use
t_plugins_broken_no_descriptor_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_no_descriptor_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_no_descriptor_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_undefined_la_SOURCES = t/plugins/broken.c
t_plugins_broken_undefined_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"undefined"' \
	-DSYMBOL=undefined_LTX_stet_module -DUNDEFINED
t_plugins_broken_undefined_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_undefined_la_LDFLAGS = $(LOOSE_LDFLAGS)
t_plugins_broken_undefined_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_other_name_la_SOURCES = t/plugins/broken.c
t_plugins_broken_other_name_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"some-name"' \
	-DSYMBOL=other_name_LTX_stet_module
t_plugins_broken_other_name_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_other_name_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_other_name_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_unknown_permission_la_SOURCES = t/plugins/broken.c
t_plugins_broken_unknown_permission_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"unknown-permission"' \
	-DSYMBOL=unknown_permission_LTX_stet_module -DPERMISSION='"castles:build"'
t_plugins_broken_unknown_permission_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_unknown_permission_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_unknown_permission_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_page_permission_la_SOURCES = t/plugins/broken.c
t_plugins_broken_page_permission_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"page-permission"' \
	-DSYMBOL=page_permission_LTX_stet_module -DPAGE_PERMISSION='"castles:see"'
t_plugins_broken_page_permission_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_page_permission_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_page_permission_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_at_root_la_SOURCES = t/plugins/broken.c
t_plugins_broken_at_root_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"at-root"' \
	-DSYMBOL=at_root_LTX_stet_module -DFLAGS=STET_AT_ROOT
t_plugins_broken_at_root_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_at_root_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_at_root_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_lonely_la_SOURCES = t/plugins/broken.c
t_plugins_broken_lonely_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"lonely"' \
	-DSYMBOL=lonely_LTX_stet_module -DNEEDS='"nobody"'
t_plugins_broken_lonely_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_lonely_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_lonely_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_ring_a_la_SOURCES = t/plugins/broken.c
t_plugins_broken_ring_a_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"ring-a"' \
	-DSYMBOL=ring_a_LTX_stet_module -DNEEDS='"ring-b"'
t_plugins_broken_ring_a_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_ring_a_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_ring_a_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_ring_b_la_SOURCES = t/plugins/broken.c
t_plugins_broken_ring_b_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"ring-b"' \
	-DSYMBOL=ring_b_LTX_stet_module -DNEEDS='"ring-a"'
t_plugins_broken_ring_b_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_ring_b_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_ring_b_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_broken_follower_la_SOURCES = t/plugins/broken.c
t_plugins_broken_follower_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNAME='"follower"' \
	-DSYMBOL=follower_LTX_stet_module -DNEEDS='"wrong-abi"'
t_plugins_broken_follower_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_broken_follower_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_broken_follower_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_bundled_route_thief_la_SOURCES = t/plugins/thief.c
t_plugins_bundled_route_thief_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DTAKES_ROUTE
t_plugins_bundled_route_thief_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_bundled_route_thief_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_bundled_route_thief_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_bundled_status_thief_la_SOURCES = t/plugins/thief.c
t_plugins_bundled_status_thief_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DTAKES_STATUS
t_plugins_bundled_status_thief_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_bundled_status_thief_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_bundled_status_thief_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_bundled_command_thief_la_SOURCES = t/plugins/thief.c
t_plugins_bundled_command_thief_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DTAKES_COMMAND
t_plugins_bundled_command_thief_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_bundled_command_thief_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_bundled_command_thief_la_LIBADD = libstet.la $(DEPS_LIBS)

t_plugins_bundled_permission_thief_la_SOURCES = t/plugins/thief.c
t_plugins_bundled_permission_thief_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_bundled_permission_thief_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_bundled_permission_thief_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_bundled_permission_thief_la_LIBADD = libstet.la $(DEPS_LIBS)

check_LTLIBRARIES += t/plugins/mail/mailer.la t/plugins/mail/mail-drop.la
t_plugins_mail_mail_drop_la_SOURCES = t/plugins/mail-drop.c
t_plugins_mail_mail_drop_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_mail_mail_drop_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_mail_mail_drop_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_mail_mail_drop_la_LIBADD = libstet.la $(DEPS_LIBS)
t_plugins_mail_mailer_la_SOURCES = t/plugins/mailer.c
t_plugins_mail_mailer_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_mail_mailer_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_mail_mailer_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_mail_mailer_la_LIBADD = libstet.la $(DEPS_LIBS)
