/*
 * prompt.h - prompts: texts that people choose in an assistant ("review this week"), and that the
 * assistant then gets as their message. A prompt is an op without a route: its row has
 * STET_MORE_PROMPT in `more`, its shape `in` is what people fill in, and its handler answers
 * {"text": ...}. Scope and permission are checked as for tools. Prompts of a plugin are off until
 * an administrator turns on what it has for assistants.
 */
#ifndef STET_PROMPT_H
#define STET_PROMPT_H

#include <stet/op.h>

#define STET_MORE_PROMPT 0x8ull

#endif
