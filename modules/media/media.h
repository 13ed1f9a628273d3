/* media.h - the interface between the files of the module media. */
#ifndef MEDIA_H
#define MEDIA_H

#include <pthread.h>
#include <stet/file.h>
#include <stet/image.h>
#include <stet/include.h>
#include <stet/media.h>
#include <stet/module.h>

#define MINUTE 60000LL
#define FILE_PATH "/media/file/"
#define UPLOAD_MOST (64LL << 30) /* largest value of the setting maxUploadSize, bytes */
#define FORM_ROOM 65536 /* bytes of a form beside its file */
#define TARGET_LIFETIME (60 * MINUTE) /* lifetime of an upload target */
#define ID_MAX 64

struct media_state {
	_Atomic int64_t swept, measured;
	struct types *types; /* type.c */
};

/* ---- item.c: items and their rows ---- */

enum {
	M_ID,
	M_FILENAME,
	M_TYPE,
	M_SIZE,
	M_WIDTH,
	M_KEY = 8,
	M_HASH,
	M_CREATED = 12,
	M_AUTHOR,
	M_STATUS
};
/* In the order of item_shape. */
#define ITEM_COLUMNS                                                                             \
	"id, filename, mime_type, size, width, height, alt, caption, storage_key, content_hash," \
	" blurhash, dominant_color, created_at, author_id, status, folder_id,"                   \
	" '/_cms/api" FILE_PATH "' || storage_key, focal_x, focal_y, duration"
#define ITEM_COUNT 20 /* the number of these columns */
extern const struct stet_member item_shape[];
extern const struct stet_member item_out[]; /* {"item": …} */
extern const struct stet_member by_id[];

/* Finds the row of an item; the caller ends the rows. Fails with NOT_FOUND. */
enum stet_status item_find(struct stet_call *, const char *id, struct stet_rows *);
/* Records a change in the feed and runs the hook media_changed. */
STET_MUST enum stet_status item_changed(
    struct stet_call *, struct stet_tx *, const char *id, const char *change);
/* Runs the hook only, for items that an import of a site has changed. */
STET_MUST enum stet_status item_moved(
    struct stet_call *, struct stet_tx *, const void *arg, const char *change, const json_t *key);
/* Answers {"item": …}, and more members that `more` writes (NULL: none). */
enum stet_status item_answer(struct stet_call *, const char *id, void (*more)(struct stet_json *));
struct usage;
/* Writes the current row, with its usage (NULL: without). */
void item_put(struct stet_call *, struct stet_json *, const char *key, struct stet_rows *,
    const struct usage *);
/* Answers {"item": ...} with its usage. */
enum stet_status item_answer_used(struct stet_call *, const char *id);
/* Fails unless the caller may change the item: its owner with the permission `own`, others with
 * `any`. Ends the rows on failure. */
enum stet_status item_require(
    struct stet_call *, struct stet_rows *, const char *own, const char *any);

/* edit.c: both check the caller's permission, and run in the write lane. folder: NULL or "unfiled":
 * the Main library. */
enum stet_status item_delete(struct stet_call *, const char *id);
enum stet_status item_move(struct stet_call *, const char *id, const char *folder);

/* A key for a file of this name: an id with the name's extension. */
const char *key_new(struct stet_call *, const char *filename);
/* Returns a new key for a later upload of the item that has this key. */
const char *key_next(struct stet_call *, const char *key);
extern const struct stet_file_column media_files;

/* ---- usage.c: who uses items ---- */

struct stet_media_usage_1;
struct usage {
	const struct stet_media_usage_1 *service; /* NULL: its module is not enabled */
	bool wanted; /* the request has includeUsage */
	bool told; /* this caller may read the count */
	const char *status;
};
extern const struct stet_member usage_shape[], delete_in[], delete_out[];
enum stet_status usage_begin(struct stet_call *, struct usage *);
/* Adds the column of the count after ITEM_COLUMNS, and writes the member `usage` from it. */
void usage_column(const struct usage *, struct stet_sql *);
void usage_put(const struct usage *, struct stet_json *, struct stet_rows *);
/* Adds the condition of `unused`, if the request has that. */
enum stet_status usage_filter(struct stet_call *, struct stet_sql *);
/* Finds what refers to an item that is to be deleted; *uses NULL: unknown, without the module
 * media-usage. Fails with CONFLICT if the request has ifUnused, and the item is used or its uses
 * are not known. */
enum stet_status usage_of(struct stet_call *, const char *id, const json_t **uses);

/* ---- beside.c: media items beside items ---- */

extern const struct stet_include media_includes[1];

/* ---- type.c: which types may be uploaded, and what the bytes are ---- */

enum stet_status media_open(struct stet_call *, void *state);
void media_close(void *state);
/* Returns the media type in lower case without parameters; NULL: it is no media type. */
const char *type_normal(struct stet_call *, const char *type);
bool type_in(struct stet_call *, const json_t *list, const char *type);
/* Fails with INVALID_TYPE if files of this type are not allowed, in the field if there is one. */
enum stet_status type_allowed(struct stet_call *, const char *type, const char *field_id);
/* Fails with INVALID_TYPE if libmagic knows the bytes as something harmful (markup, a script, a
 * program) or as another image type. For images that can be decoded, also if the file is empty or
 * known as any other type. */
enum stet_status type_check_bytes(struct stet_call *, const char *type, const char *path);
enum stet_status type_check_fd(struct stet_call *, const char *type, int fd);
/* Returns true if bytes that libmagic names `found` may be declared as `type`. */
bool type_passes(const char *found, const char *type);
/* *found: the type of the bytes as libmagic knows it; NULL: the file is empty. */
enum stet_status type_look(struct stet_call *, int fd, const char **found);

/* ---- digest.c ---- */

#define HASH_SIZE 46 /* "sha1:" and 40 digits, with the NUL */
struct digest {
	char hash[HASH_SIZE], sha256[STET_SHA256_SIZE];
};
enum stet_status digest_file(struct stet_call *, const char *path, struct digest *);
enum stet_status digest_fd(struct stet_call *, int fd, struct digest *); /* from its offset on */

/* ---- look.c: properties of images, videos and sounds ---- */

struct look {
	int64_t width, height; /* pixels; 0: unknown */
	const char *blurhash, *color; /* NULL: unknown */
	double seconds; /* duration of a video or a sound; 0: unknown */
};
/* Reads the properties of an upload. They stay unknown if it is no image, video or sound, or if
 * this machine cannot decode images of its type. A broken image fails with IMAGE_UNREADABLE, and
 * one of another type than declared with INVALID_TYPE. Runs in the slow lane. */
enum stet_status look_at(struct stet_call *, const char *type, const char *path, struct look *out);
enum stet_status look_fd(struct stet_call *, const char *type, int fd, struct look *out);
/* Sets blurhash and color to those of this image, if it can be decoded. */
void look_at_thumbnail(struct stet_call *, const char *path, struct look *out);
/* Returns true if images of this type can be decoded. */
bool look_can(const char *type);
/* Return the SQL parameter for a number, NULL if it is unknown. */
struct stet_val look_pixels(int64_t);
struct stet_val look_seconds(double);

/* ---- drawing.c: SVG, if the site allows it ---- */

#define DRAWING "image/svg+xml"
/* Returns true if files of this type are cleaned before they are stored. */
bool drawing_is(struct stet_call *, const char *type);
/* Replaces the part by one with a cleaned file, and sets its size in pixels. The file gets `size`
 * bytes, if that is not 0. Fails with INVALID_TYPE if it is no SVG. */
enum stet_status drawing_clean(
    struct stet_call *, const struct stet_part **, uint64_t size, struct look *);

/* ---- signature.c: signatures in URLs ---- */

/* Signs a text for a purpose; *out is owned by the call. Fails with KEY_UNAVAILABLE. */
STET_MUST enum stet_status signature_make(
    struct stet_call *, const char *purpose, const char *text, const char **out);
/* Sets *right to whether `given` (may be NULL) is the signature of the text. */
STET_MUST enum stet_status signature_check(
    struct stet_call *, const char *purpose, const char *text, const char *given, bool *right);

/* ---- rendition.c ---- */

#define RENDITION_PARAMETERS                                                                       \
	{ "w", STET_INTEGER, STET_BOUNDED, .about = "Width of a smaller copy of an image, pixels", \
		STET_RANGE(1, STET_IMAGE_SIDE_MAX) },                                              \
	    { "h", STET_INTEGER, STET_BOUNDED, .about = "Its height",                              \
		    STET_RANGE(1, STET_IMAGE_SIDE_MAX) },                                          \
	    { "fit", STET_STRING,                                                                  \
		    .about = "How it is fitted to that: inside it, filled up to it, or cut",       \
		    STET_CHOICES("inside", "contain", "cover") },                                  \
	    { "format", STET_STRING, STET_CHOICES("jpeg", "png", "webp") },                        \
	{                                                                                          \
		"q", STET_INTEGER, STET_BOUNDED, .about = "Quality of JPEG and WebP",              \
						 STET_RANGE(1, 100)                                \
	}
/* Returns true if the arguments ask for a copy of an image. */
bool rendition_asked(struct stet_call *);
/* Answers with a rendition, by the argument `preset` or by signed parameters. focal: shares of
 * width and height; -1: none. */
enum stet_status rendition_serve(
    struct stet_call *, const char *key, const char *type, const double focal[2]);
/* Returns the attribute srcset: the presets that keep the shape of the image; NULL: there is
 * none. */
const char *rendition_srcset(struct stet_call *, const char *key, const char *type, int64_t width);

/* ---- kept.c: cached renditions ---- */

extern const struct stet_member kept_in[], kept_out[];
stet_handler media_renditions, media_renditions_clear;

/* ---- upload.c: direct uploads ---- */

#define ALT_MAX 5000
#define CAPTION_MAX 20000 /* characters */
#define FOLDER_ID_MAX 64
/* Fails with NOT_FOUND if there is no such folder; NULL is none, which is right. */
enum stet_status folder_check(struct stet_call *, const char *folder);

struct upload {
	const struct stet_part *file, *thumbnail;
	const char *id, *key, *type, *field_id, *alt, *caption, *folder;
	int64_t width, height; /* declared by the client; 0: not declared */
	struct look look;
	struct digest digest;
	const char *same; /* the item that already has this file; NULL: none */
};
/* Counts an upload, for the metrics. */
void upload_count(struct stet_call *, int64_t bytes);
/* Makes an item of a file, or finds the one that has its bytes (u->same). */
enum stet_status upload_take(struct stet_call *, struct upload *);

int64_t upload_most(struct stet_call *); /* bytes of a file: the setting maxUploadSize */
uint64_t upload_body_most(struct stet_call *), target_body_most(struct stet_call *);
enum stet_status filename_check(struct stet_call *, const char *filename);
/* Sets *id to that of a ready item with these bytes, type and size, or to NULL. */
enum stet_status same_find(
    struct stet_call *, const struct digest *, const char *type, int64_t size, const char **id);
void put_deduplicated(struct stet_json *); /* `more` of item_answer */
enum stet_status media_post(struct stet_call *), media_upload(struct stet_call *);

/* ---- targeturl.c: URLs of upload targets that need no credentials ---- */

#define MEDIA_PUT "media_put" /* the op that takes the bytes */

/* An item that waits for its bytes. */
struct target {
	const char *id, *key, *type;
	const char *created; /* as the row has it: the target expires TARGET_LIFETIME later */
	int64_t size;
};
/* An absolute URL that is a credential for one upload to the target. */
STET_MUST enum stet_status targeturl_make(
    struct stet_call *, const struct target *, const char **out);
/* The hook request_authenticate: a request with such a URL acts as the user who asked for it. */
STET_MUST enum stet_status targeturl_authenticate(struct stet_call *);
/* Returns true if the request came by such a URL, for a target that had another key. */
bool targeturl_is_stale(struct stet_call *, const char *key);
enum stet_status targeturl_refuse(struct stet_call *); /* fails with UNAUTHORIZED */

/* ---- add.c ---- */

/* The function `add` of the service media/1. */
enum stet_status media_add(struct stet_call *, const struct stet_media_new *, size_t size,
    const char **id, const char **url, bool *same);

/* ---- find.c: functions of the service media/1 ---- */

enum stet_status media_find(
    struct stet_call *, const char *const *ids, size_t count, struct stet_table *out);
enum stet_status media_owners(
    struct stet_call *, const char *const *keys, size_t count, const char **ids);
void media_join(struct stet_sql *, const char *alias, const char *column);
void media_columns(struct stet_sql *, const char *alias);

/* ---- gone.c ---- */

/* The function `gone` of the service media/1. */
enum stet_status media_gone(struct stet_call *, const char *path, const json_t *value);

/* ---- quota.c: the most bytes of a library ---- */

/* In the write lane: fails with INSUFFICIENT_STORAGE if there is no room for a file of so many
 * bytes. */
enum stet_status quota_check(struct stet_call *, int64_t bytes);

/* ---- folder.c ---- */

/* Finds the id of a folder by its id or name; fails with NOT_FOUND. */
enum stet_status folder_named(struct stet_call *, const char *name, const char **id);

/* ---- commands.c: `stet media` ---- */

int add_run(struct stet_call *, int argc, char **argv);
int verify_run(struct stet_call *, int argc, char **argv);
int sweep_command_run(struct stet_call *, int argc, char **argv),
    move_run(struct stet_call *, int argc, char **argv);

/* ---- register.c ---- */

enum stet_status media_create(struct stet_call *);

/* ---- the handlers of ops ---- */

extern const struct stet_member get_out[], picture_out[];
extern const struct stet_member list_in[], get_in[], list_out[], update_in[], deleted_out[],
    url_in[], url_out[], confirm_in[], put_in[], put_out[], folder_list_in[], folder_list_out[],
    folders_in[], folders_out[], folder_out[], folder_in[], folder_update_in[], file_in[],
    upload_in[], upload_out[], create_in[], rendition_in[], rendition_out[], bulk_delete_in[],
    bulk_move_in[], bulk_deleted_out[], bulk_moved_out[];
enum stet_status media_list(struct stet_call *), media_get(struct stet_call *);
enum stet_status media_update(struct stet_call *), media_delete(struct stet_call *);
enum stet_status media_bulk_move(struct stet_call *), media_bulk_delete(struct stet_call *);
enum stet_status media_upload_url(struct stet_call *), media_put_file(struct stet_call *),
    media_confirm(struct stet_call *);
enum stet_lane media_confirm_lane(struct stet_call *);
enum stet_lane folders_lane(struct stet_call *);
enum stet_status folders_run(struct stet_call *), folder_list(struct stet_call *),
    folder_get(struct stet_call *), folder_create(struct stet_call *),
    folder_update(struct stet_call *), folder_delete(struct stet_call *);

/* ---- picture.c ---- */

/* Answers {"item": …, "image": {mimeType, data}}. */
enum stet_status picture_answer(struct stet_call *, const char *id);
enum stet_status media_serve(struct stet_call *), media_rendition(struct stet_call *);
enum stet_lane media_serve_lane(struct stet_call *);

enum stet_status check_run(struct stet_call *); /* check.c, for `stet doctor` */

int64_t sweep_due(struct stet_call *);
enum stet_status sweep_run(struct stet_call *);
/* The job that measures the library, for its metrics. */
int64_t measure_due(struct stet_call *);
enum stet_status measure_run(struct stet_call *);
enum stet_status sweep_all(struct stet_call *); /* sweeps everything now, for the command */

#endif
