/* gate.h - keeps the writer busy until the test has queued all of its jobs behind this one. */
#ifndef T_UNIT_GATE_H
#define T_UNIT_GATE_H

#include "db/batch.h"
#include "db/writer.h"
#include "store.h"
#include <pthread.h>

/* A job that keeps the writer busy, so that the jobs behind it form one batch. */
struct gate {
	struct write_job job;
	pthread_barrier_t barrier;
	bool open;
};

__attribute__((unused)) static enum stet_status
stand(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct gate *g = arg;

	(void)call;
	(void)tx;
	if (g->open) /* the batch is run again */
		return STET_OK;
	pthread_barrier_wait(&g->barrier);
	pthread_barrier_wait(&g->barrier);
	g->open = true;
	return STET_OK;
}

__attribute__((unused)) static void
stood(struct stet_call *call, enum stet_status status, void *arg)
{
	(void)status;
	(void)arg;
	call_free(call);
}

__attribute__((unused)) static void
gate_close(struct store *s, struct gate *g)
{
	pthread_barrier_init(&g->barrier, NULL, 2);
	/* The jobs behind the gate form one batch, however long they take. */
	batch_span(INT64_MAX / 2);
	g->open = false;
	g->job = (struct write_job){ .call = call_new(), .run = stand, .arg = g, .done = stood };
	call_enter(g->job.call, &s->site);
	assert_int_equal(writer_submit(s->site.writer, &g->job), STET_OK);
	pthread_barrier_wait(&g->barrier);
}

__attribute__((unused)) static void
gate_open(struct gate *g)
{
	pthread_barrier_wait(&g->barrier);
}

#endif
