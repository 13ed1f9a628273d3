/* process.h - what stetd asks of the operating system: open files, a pid file, another user. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include <stdbool.h>

/* Raises the limit of open files as far as it goes. Logs if it is too low for so many
 * connections. */
void process_limits(int max_connections);
/* Writes the pid to the file. NULL: does nothing. On failure logs why and returns false. */
bool process_pid_file(const char *path);
/* Changes from root to this user, after the sockets are bound. NULL, or not root: does nothing. On
 * failure logs why and returns false. */
bool process_user(const char *user);

#endif
