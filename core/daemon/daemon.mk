core_daemon = \
	core/daemon/admin.c \
	core/daemon/admin.h \
	core/daemon/heap.c \
	core/daemon/heap.h \
	core/daemon/scrape.c \
	core/daemon/scrape.h \
	core/daemon/stuck.c \
	core/daemon/stuck.h
core_stetd = \
	core/daemon/main.c \
	core/daemon/notify.c \
	core/daemon/notify.h \
	core/daemon/process.c \
	core/daemon/process.h
