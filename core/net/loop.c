/* loop.c - an event loop and its mailbox. */
#include "net/loop.h"
#include "base/arena.h"
#include "base/log.h"

#include <errno.h>
#include <event2/event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct mail {
	struct mail *next;
	void (*fn)(void *);
	void *arg;
};

static void
ring(struct loop *l)
{
	uint64_t one = 1;

	/* The counter cannot overflow: it is written only when the mailbox was empty. */
	while (write(l->bell, &one, sizeof(one)) == -1 && errno == EINTR)
		continue;
}

void
loop_post(struct loop *l, void (*fn)(void *), void *arg)
{
	struct mail *mail = xmalloc(sizeof(*mail));
	bool empty;

	*mail = (struct mail){ .fn = fn, .arg = arg };
	pthread_mutex_lock(&l->lock);
	empty = l->first == NULL;
	*l->last = mail;
	l->last = &mail->next;
	pthread_mutex_unlock(&l->lock);
	if (empty)
		ring(l);
}

void
loop_read(struct loop *l)
{
	struct mail *mail, *next;

	pthread_mutex_lock(&l->lock);
	mail = l->first;
	l->first = NULL;
	l->last = &l->first;
	pthread_mutex_unlock(&l->lock);
	for (; mail != NULL; mail = next) {
		next = mail->next;
		mail->fn(mail->arg);
		free(mail);
	}
}

static void
on_bell(evutil_socket_t fd, short what, void *arg)
{
	uint64_t count;

	(void)what;
	/* Reset the eventfd first: what is posted from here on sets it again. */
	while (read(fd, &count, sizeof(count)) == -1 && errno == EINTR)
		continue;
	loop_read(arg);
}

static struct event_base *
new_base(int priorities)
{
	struct event_config *config = event_config_new();
	struct event_base *base = NULL;

	if (config != NULL) {
		/* No changelist: it could name descriptors that have been closed and opened
		 * again by others. Replies are sent without waiting for the loop, so it would
		 * save little. */
		(void)event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
		base = event_base_new_with_config(config);
		event_config_free(config);
		if (base != NULL)
			(void)event_base_priority_init(base, priorities);
	}
	return base;
}

void
loop_open(struct loop *l, int priorities)
{
	*l = (struct loop){ .last = &l->first };
	pthread_mutex_init(&l->lock, NULL);
	l->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	l->base = new_base(priorities);
	stet_assert(l->bell != -1 && l->base != NULL);
	l->wake = event_new(l->base, l->bell, EV_READ | EV_PERSIST, on_bell, l);
	stet_assert(l->wake != NULL && event_add(l->wake, NULL) == 0);
}

void
loop_close(struct loop *l)
{
	event_free(l->wake);
	event_base_free(l->base);
	close(l->bell);
	pthread_mutex_destroy(&l->lock);
}
