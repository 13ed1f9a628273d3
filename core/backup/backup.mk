core_backup = \
	core/backup/archive.c \
	core/backup/archive.h \
	core/backup/ask.c \
	core/backup/backup.c \
	core/backup/backup.h \
	core/backup/copied.c \
	core/backup/copied.h \
	core/backup/keeper.c \
	core/backup/keeper.h \
	core/backup/kept.c \
	core/backup/kept.h \
	core/backup/told.c \
	core/backup/told.h
