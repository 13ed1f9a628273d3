/*
 * error.h - what a database reports, in classes that are the same for all engines. The driver of an
 * engine converts its codes.
 */
#ifndef CORE_DB_ERROR_H
#define CORE_DB_ERROR_H

#include <stet/status.h>

enum db_error {
	DB_OK,
	DB_END, /* no error: there is no further row */
	DB_CONFLICT, /* the key exists already */
	DB_LONG, /* a value is longer than an index takes */
	DB_DENIED, /* the text is not one statement, or one that a plugin may not run */
	DB_FAULT, /* any other error in SQL, data or the file */
	DB_DAMAGED, /* the file is not what the engine has written */
	DB_TIMEOUT, /* interrupted: the call's time is over, or its client is gone */
	DB_FULL, /* the disk or a quota is full */
	DB_BUSY, /* another process holds what is needed */
	DB_AGAIN, /* the transaction may succeed if it runs again from its beginning */
	DB_STALE, /* the statement was made for tables that have changed since */
	DB_GONE /* the connection is lost */
};

/* The status of a call that cannot do better than to fail. */
static inline enum stet_status
db_status(enum db_error error)
{
	switch (error) {
	case DB_OK:
	case DB_END:
		return STET_OK;
	case DB_CONFLICT:
		return STET_CONFLICT;
	case DB_LONG:
		return STET_VALIDATION_ERROR;
	case DB_TIMEOUT:
		return STET_REQUEST_TIMEOUT;
	case DB_FULL:
		return STET_INSUFFICIENT_STORAGE;
	case DB_BUSY:
	case DB_AGAIN:
	case DB_GONE:
		return STET_UNAVAILABLE;
	case DB_DENIED:
	case DB_FAULT:
	case DB_DAMAGED:
	case DB_STALE:
		break;
	}
	return STET_FAULT;
}

#endif
