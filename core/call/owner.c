/*
 * owner.c - which module's code runs in a call, and SDK functions that depend on it: the module's
 * state, services and field types.
 */
#include "call/owner.h"
#include "call/call.h"
#include <string.h>

void *
stet_state_of(struct stet_call *call, const char *module)
{
	const struct generation *gen = call->gen;

	for (size_t i = 0; i < gen->module_count; i++)
		if (strcmp(gen->module[i]->m.name, module) == 0)
			return call->site->state[gen->module[i]->index];
	return NULL;
}

void
owner_mark_foreign(struct stet_call *call, const struct loaded *owner)
{
	if (!owner->bundled && (call->op == NULL || owner != call->op->owner))
		call->asked |= ASKED_ELSE;
}

bool
stet_writing(struct stet_call *call)
{
	return call->writing;
}

uint64_t
stet_generation(struct stet_call *call)
{
	return call->gen->number;
}

bool
stet_field_type_sized(
    struct stet_call *call, const char *name, struct stet_field_type *out, size_t size)
{
	const struct generation *gen = call->gen;

	for (size_t i = 0; i < gen->field_type_count; i++) {
		const struct field_type_slot *slot = &gen->field_type[i];

		if (strcmp(slot->type.name, name) != 0)
			continue;
		stet_extend(out, size, &slot->type, sizeof(slot->type));
		return true;
	}
	return false;
}

enum stet_status
stet_field_define(struct stet_call *call, const struct stet_field *field)
{
	const struct loaded *was = call->owner;
	enum stet_status status = STET_OK;

	if (field->type->owner != NULL) {
		call->owner = field->type->owner;
		owner_mark_foreign(call, call->owner);
	}
	if (field->type->define != NULL)
		status = field->type->define(call, field);
	call->owner = was;
	return status;
}

enum stet_status
stet_field_check(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	const struct loaded *was = call->owner;
	enum stet_status status;

	if (field->type->owner != NULL) {
		call->owner = field->type->owner;
		owner_mark_foreign(call, call->owner);
	}
	status = field->type->check(call, field, path, value, out);
	call->owner = was;
	return status;
}

enum stet_status
stet_type_check(
    struct stet_call *call, const char *name, const char *path, const json_t *value, json_t **out)
{
	struct stet_field_type type;
	const struct stet_field field = { .slug = path, .type = &type };
	enum stet_status status;

	*out = NULL;
	if (!stet_field_type(call, name, &type))
		return stet_fault(call, "no module has the field type %s", name);
	status = stet_field_check(call, &field, path, value, out);
	if (*out != NULL)
		stet_json_own(call, *out);
	return status;
}
