core_command = \
	core/command/arguments.c core/command/arguments.h core/command/backup_command.c \
	core/command/backup_command.h core/command/certificate.c core/command/certificate.h \
	core/command/command.c core/command/command.h core/command/disable.c core/command/disable.h \
	core/command/doctor.c core/command/doctor.h core/command/doctor_key.c \
	core/command/doctor_files.c core/command/doctor_machine.c core/command/doctor_mail.c core/command/doctor_modules.c core/command/doctor_site.c core/command/init.c core/command/init.h core/command/key.c \
	core/command/key.h core/command/login.c core/command/login.h core/command/logins.c core/command/logins.h core/command/mail.c core/command/mail.h \
	core/command/print.c core/command/print.h core/command/probe.c core/command/probe.h core/command/progress.c core/command/progress.h core/command/remote.c core/command/remote.h core/command/request.c core/command/request.h core/command/restore.c \
	core/command/restore.h core/command/restore_command.c core/command/restore_command.h \
	core/command/restore_key.c core/command/restore_key.h core/command/secret.c \
	core/command/secret.h core/command/stet.c core/command/verify.c core/command/verify.h
