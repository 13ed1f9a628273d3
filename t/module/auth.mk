# Users, tokens, the hook that authenticates; and the command `stet` as built.
check_PROGRAMS += t/module/auth.t
t_module_auth_t_SOURCES = t/module/auth.c t/module/people.c t/module/people.h

check_PROGRAMS += t/module/tokens.t
t_module_tokens_t_SOURCES = t/module/tokens.c t/module/people.c t/module/people.h

check_PROGRAMS += t/cli/arguments.t
t_cli_arguments_t_SOURCES = t/cli/arguments.c core/command/arguments.c core/command/print.c core/command/command.h

dist_check_SCRIPTS += t/cli/stet.t t/cli/backup.t t/cli/doctor.t t/cli/completion.t
EXTRA_DIST += t/cli/command.sh

check_PROGRAMS += t/module/users.t
t_module_users_t_SOURCES = t/module/users.c t/module/people.c t/module/people.h
