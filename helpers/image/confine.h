/*
 * confine.h - gives up what a program could do harm with. A program that reads what strangers
 * sent calls confine_server once it has loaded its libraries, and confine_worker in each process
 * that it forks, before that reads a byte. Nothing gives anything back.
 */
#ifndef HELPERS_IMAGE_CONFINE_H
#define HELPERS_IMAGE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

struct confine_limits {
	uint32_t seconds; /* of processor time, and of wall time */
	uint64_t memory; /* bytes of address space */
	uint64_t size; /* bytes of a file */
};

/* No new privileges, no core dumps, nobody may trace it, no file may be opened (landlock).
 * *landlock: the kernel has that, and it is in force. Prepares the list of system calls for
 * confine_worker. Returns false if the system cannot confine a program. */
bool confine_server(bool *landlock);
/* Limits the process, then its system calls: those that compute, and read and write what is open.
 * Opening a file fails; any other call, such as socket, execve, fork or ptrace, ends the
 * process (SIGSYS). Returns false if that is not in force. */
bool confine_worker(const struct confine_limits *);

#endif
