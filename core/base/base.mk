core_base = \
	core/base/activity.c core/base/activity.h core/base/alarm.c core/base/alarm.h \
	core/base/arena.c core/base/arena.h core/base/buf.c core/base/buf.h core/base/clock.c \
	core/base/clock.h core/base/crash.c core/base/crash.h core/base/dir.c core/base/dir.h \
	core/base/fair.c core/base/fair.h \
	core/base/fold.c core/base/fold.h \
	core/base/leftover.c core/base/leftover.h core/base/log.c core/base/log.h core/base/pace.c \
	core/base/pace.h core/base/thread.c core/base/thread.h core/base/time.c core/base/utf8.c \
	core/base/utf8.h core/base/words.c core/base/words.h
