core_work = \
	core/work/beacon.c \
	core/work/beacon.h \
	core/work/beforecommit.c \
	core/work/cleaning.c \
	core/work/daemons.c \
	core/work/failures.c \
	core/work/jobs.c \
	core/work/jobs.h \
	core/work/lease.c \
	core/work/lease.h \
	core/work/node.c \
	core/work/node.h \
	core/work/notify.c \
	core/work/outbox.c \
	core/work/outbox.h \
	core/work/usage.c \
	core/work/wakes.c \
	core/work/wakes.h \
	core/work/watch.c \
	core/work/watch.h
