# Users, tokens, the hook that authenticates; and the command `stet` as built.
check_PROGRAMS += t/module/auth/auth.t
t_module_auth_auth_t_SOURCES = t/module/auth/auth.c t/module/lib/people.c t/module/lib/people.h

check_PROGRAMS += t/module/auth/tokens.t
t_module_auth_tokens_t_SOURCES = t/module/auth/tokens.c t/module/lib/people.c t/module/lib/people.h

check_PROGRAMS += t/module/auth/delivery.t
t_module_auth_delivery_t_SOURCES = t/module/auth/delivery.c t/module/lib/people.c t/module/lib/people.h

check_PROGRAMS += t/cli/arguments.t
t_cli_arguments_t_SOURCES = \
	t/cli/arguments.c \
	core/command/arguments.c \
	core/command/print.c \
	core/command/command.h

dist_check_SCRIPTS += \
	t/cli/stet.t \
	t/cli/backup.t \
	t/cli/doctor.t \
	t/cli/completion.t \
	t/cli/copy.t \
	t/cli/database.t \
	t/cli/key.t \
	t/cli/refusals.t \
	t/cli/login.t \
	t/cli/address.t
check_LTLIBRARIES += t/cli/dying.la
t_cli_dying_la_SOURCES = t/cli/dying.c
t_cli_dying_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
EXTRA_DIST += t/cli/command.sh t/cli/oldserver.pl t/cli/site.sh
