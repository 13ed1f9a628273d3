/*
 * checkpointer.h - a thread that copies the logs of databases into them while their writers go on.
 * One for all sites: the disk is one, too.
 */
#ifndef CORE_CHECKPOINTER_H
#define CORE_CHECKPOINTER_H

enum checkpoint_state { CHECKPOINT_NONE, CHECKPOINT_ASKED, CHECKPOINT_OVER };

/* Of one database. All but the path is the thread's. */
struct checkpoint {
	const char *path;
	struct checkpoint *next;
	enum checkpoint_state state;
	int done;
};

void checkpointer_start(void);
/* Those that were asked for are made first. None may be asked for any more. */
void checkpointer_stop(void);

/* When none is under way. The structure stays where it is until it is over. */
void checkpointer_ask(struct checkpoint *);
/* OVER is told once; *done are then the pages of the log that are in the database: all but those of
 * the last moments, unless readers stand in the way. 0: none is known to be. */
enum checkpoint_state checkpointer_look(struct checkpoint *, int *done);
/* Returns when none is under way. */
void checkpointer_wait(struct checkpoint *);

#endif
