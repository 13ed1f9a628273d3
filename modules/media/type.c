/*
 * type.c - which types of files may be uploaded, and checks of their bytes. The type that a client
 * declares is accepted, unless libmagic knows the bytes as something that could do harm under
 * another name: markup, a script, a program, another image.
 */
#include "media.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <magic.h>
#include <stdlib.h>
#include <stet/content.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define LOOK 65536 /* bytes from the beginning of a file */

/* Allowed everywhere; those that end with a slash are families. */
static const char *const allowed[] = { "image/png", "image/jpeg", "image/gif", "image/webp",
	"video/", "audio/", "application/pdf", NULL };

/* libmagic's database is loaded for the first file. It is not thread-safe. */
struct types {
	pthread_mutex_t lock;
	magic_t magic; /* NULL: not read yet */
};

enum stet_status
media_open(struct stet_call *call, void *state)
{
	struct media_state *s = state;

	(void)call;
	s->types = calloc(1, sizeof(*s->types));
	if (s->types == NULL)
		stet_out_of_memory();
	pthread_mutex_init(&s->types->lock, NULL);
	return STET_OK;
}

void
media_close(void *state)
{
	struct media_state *s = state;

	if (s->types == NULL)
		return;
	if (s->types->magic != NULL)
		magic_close(s->types->magic);
	pthread_mutex_destroy(&s->types->lock);
	free(s->types);
}

/* ---- what is declared ---- */

#define TYPE_CHARS "abcdefghijklmnopqrstuvwxyz0123456789!#$&^_+-."

const char *
type_normal(struct stet_call *call, const char *type)
{
	size_t len = type != NULL ? strcspn(type, "; \t") : 0, family;
	char *normal;

	if (len == 0 || len > 127)
		return NULL;
	normal = stet_strndup(call, type, len);
	for (char *c = normal; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	if (strcmp(normal, "image/jpg") == 0)
		return "image/jpeg";
	family = strspn(normal, TYPE_CHARS);
	if (family == 0 || normal[family] != '/' || !isalnum((unsigned char)*normal))
		return NULL;
	len = strspn(normal + family + 1, TYPE_CHARS);
	return len > 0 && normal[family + 1 + len] == '\0' ? normal : NULL;
}

/* An entry is a type, or the beginning of types: "video/", or "video/" and a star. */
static bool
matches(const char *entry, const char *type)
{
	size_t len = strlen(entry);

	if (len > 1 && strcmp(entry + len - 2, "/*") == 0)
		len--;
	else if (len == 0 || entry[len - 1] != '/')
		return strcasecmp(entry, type) == 0;
	return strncasecmp(entry, type, len) == 0;
}

bool
type_in(struct stet_call *call, const json_t *list, const char *type)
{
	const char *normal = type_normal(call, type);
	bool found = false;

	for (size_t i = 0; normal != NULL && i < json_array_size(list); i++) {
		const char *entry = json_string_value(json_array_get(list, i));

		found = found || (entry != NULL && matches(entry, normal));
	}
	return found;
}

/* The types that this field of a collection allows, or NULL. */
static enum stet_status
types_of_field(struct stet_call *call, const char *id, const json_t **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	size_t count = 0;

	*out = NULL;
	if (schema == NULL)
		return STET_OK;
	STET_TRY(schema->collections(call, &list, &count));
	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < list[i]->field_count; f++) {
			const struct stet_field *field = list[i]->fields[f];

			if (strcmp(field->id, id) == 0 &&
			    (field->type->holds == STET_HOLDS_IMAGE ||
				field->type->holds == STET_HOLDS_FILE))
				*out = json_object_get(field->validation, "allowedMimeTypes");
		}
	return STET_OK;
}

/* Returns true if the list of all sites or a setting of this one has the type. */
static bool
allowed_here(struct stet_call *call, const char *type)
{
	char *more = stet_strdup(call, json_string_value(stet_setting(call, "moreTypes"))), *one;
	bool good = false;

	if (strcmp(type, DRAWING) == 0)
		return drawing_is(call, type);
	for (size_t i = 0; allowed[i] != NULL; i++)
		good = good || matches(allowed[i], type);
	while ((one = strsep(&more, ", ")) != NULL)
		good = good || (*one != '\0' && matches(one, type));
	return good;
}

enum stet_status
type_allowed(struct stet_call *call, const char *type, const char *field_id)
{
	const json_t *own = NULL;
	bool good;

	if (field_id != NULL)
		STET_TRY(types_of_field(call, field_id, &own));
	good = json_array_size(own) > 0 ? type_in(call, own, type) : allowed_here(call, type);
	return good ? STET_OK
		    : stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
			  "Files of the type %s are not allowed here", type);
}

/* ---- what the bytes are ---- */

/* Returns the type as libmagic knows it, or NULL after a fault. */
static const char *
look(struct stet_call *call, const void *bytes, size_t len)
{
	struct media_state *s = stet_state(call);
	struct types *t = s->types;
	const char *found = NULL;

	pthread_mutex_lock(&t->lock);
	if (t->magic == NULL) {
		t->magic = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS |
				      MAGIC_NO_CHECK_TAR | MAGIC_NO_CHECK_CDF);
		if (t->magic != NULL && magic_load(t->magic, NULL) != 0) {
			(void)stet_fault(call, "libmagic: %s", magic_error(t->magic));
			magic_close(t->magic);
			t->magic = NULL;
		}
	}
	if (t->magic != NULL) {
		found = magic_buffer(t->magic, bytes, len);
		found = stet_strdup(call, found != NULL ? found : "application/octet-stream");
	}
	pthread_mutex_unlock(&t->lock);
	return found;
}

/* Returns true for markup, scripts and programs, which do harm under another name if a browser or a
 * person opens them. */
static bool
is_active(const char *found)
{
	static const char *const active[] = { "text/html", "text/xml", "application/xml",
		"application/xhtml+xml", "image/svg+xml", "text/javascript",
		"application/javascript", "application/x-executable", "application/x-sharedlib",
		"application/x-pie-executable", "application/x-object", "application/x-dosexec",
		"application/vnd.microsoft.portable-executable", "application/x-mach-binary",
		"application/x-msdownload", "application/java-archive", "application/x-java-applet",
		"application/x-wine-extension-ini", "application/x-shockwave-flash" };

	for (size_t i = 0; i < sizeof(active) / sizeof(active[0]); i++)
		if (strcmp(active[i], found) == 0)
			return true;
	/* text/x-shellscript, text/x-php, text/x-script.python and their kind */
	return strncmp(found, "text/x-", 7) == 0;
}

/* libmagic names HEIF files by their first brand, which need not be that of the codec. The program
 * stet-image decides (look.c). */
static bool
is_heif(const char *found, const char *type)
{
	return (strcmp(found, "image/heif") == 0 || strcmp(found, "image/heic") == 0) &&
	       (strcmp(type, "image/heif") == 0 || strcmp(type, "image/heic") == 0 ||
		   strcmp(type, "image/avif") == 0);
}

/* Bytes that libmagic does not know may be an image of any type. */
bool
type_passes(const char *found, const char *type)
{
	if (strcmp(found, type) == 0 || is_heif(found, type))
		return true;
	if (look_can(type))
		return strcmp(found, "application/octet-stream") == 0;
	return !is_active(found) &&
	       (strncmp(found, "image/", 6) != 0 || strncmp(type, "image/", 6) != 0);
}

enum stet_status
type_look(struct stet_call *call, int fd, const char **found)
{
	char *bytes = malloc(LOOK);
	ssize_t len = -1;

	*found = NULL;
	while (bytes != NULL && (len = pread(fd, bytes, LOOK, 0)) < 0 && errno == EINTR)
		;
	if (len > 0)
		*found = look(call, bytes, (size_t)len);
	free(bytes);
	if (len < 0)
		return stet_fault(call, "cannot read an upload");
	return len == 0 || *found != NULL ? STET_OK : STET_FAULT;
}

enum stet_status
type_check_fd(struct stet_call *call, const char *type, int fd)
{
	const char *found;

	STET_TRY(type_look(call, fd, &found));
	if (found == NULL && look_can(type))
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
		    "The file is empty, and an image of the type %s is not", type);
	if (found == NULL || type_passes(found, type))
		return STET_OK;
	return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
	    "The file is declared as %s, but its bytes are %s", type, found);
}

enum stet_status
type_check_bytes(struct stet_call *call, const char *type, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum stet_status status;

	if (fd < 0)
		return stet_fault(call, "cannot read an upload");
	status = type_check_fd(call, type, fd);
	close(fd);
	return status;
}
