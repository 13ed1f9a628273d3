/*
 * checkpointer.h - a thread that copies the WALs of databases into them while their writers go on.
 * One thread serves all sites, since they usually share one disk.
 */
#ifndef CORE_CHECKPOINTER_H
#define CORE_CHECKPOINTER_H

#include <stdbool.h>

enum checkpoint_state { CHECKPOINT_NONE, CHECKPOINT_ASKED, CHECKPOINT_OVER };

/* The checkpoints of one database. Owned by its writer; all members except path are changed by
 * the thread under its lock. */
struct checkpoint {
	const char *path;
	struct checkpoint *next;
	enum checkpoint_state state;
	int done;
};

void checkpointer_start(void);
/* Runs the checkpoints that were asked for, then ends the thread. No more may be asked for. */
void checkpointer_stop(void);
bool checkpointer_runs(void);

/* Asks for a checkpoint. None may be under way for this database. The structure must stay valid
 * until the checkpoint is over. */
void checkpointer_ask(struct checkpoint *);
/* Returns the state. CHECKPOINT_OVER is returned once, with *done: how many pages of the WAL
 * are in the database. That is all but the most recent ones, unless readers prevented it. 0:
 * unknown. */
enum checkpoint_state checkpointer_look(struct checkpoint *, int *done);
/* Blocks until no checkpoint of this database is under way. */
void checkpointer_wait(struct checkpoint *);

#endif
