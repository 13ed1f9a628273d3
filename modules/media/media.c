/*
 * media - the library: files that users upload, their metadata, folders. Anybody who has the URL of
 * a file may read it.
 */
#include "media.h"
#include "image/image.h"
#include "image/rendition.h"
#include <stet/check.h>

static const struct stet_migration migrations[] = {
	{ 1, "items and folders",
	    "CREATE TABLE media_folders ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " name_key TEXT NOT NULL UNIQUE);"
	    "CREATE TABLE media_items ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " filename TEXT NOT NULL,"
	    " mime_type TEXT NOT NULL,"
	    " size INTEGER NOT NULL,"
	    " width INTEGER,"
	    " height INTEGER,"
	    " alt TEXT,"
	    " caption TEXT,"
	    " storage_key TEXT NOT NULL,"
	    " kept_key TEXT UNIQUE," /* storage_key once the file exists */
	    " content_hash TEXT,"
	    " sha256 TEXT,"
	    " blurhash TEXT,"
	    " dominant_color TEXT,"
	    " created_at TEXT NOT NULL,"
	    " author_id TEXT,"
	    " status TEXT NOT NULL DEFAULT 'ready'," /* or pending */
	    " folder_id TEXT REFERENCES media_folders (id) ON DELETE SET NULL);"
	    "CREATE INDEX media_items_list ON media_items (status, created_at, id);"
	    "CREATE INDEX media_items_folder ON media_items (folder_id, status, created_at, id);"
	    "CREATE INDEX media_items_hash ON media_items (content_hash);",
	    NULL },
	{ 2, "index for the sum of sizes", "CREATE INDEX media_items_size ON media_items (size);",
	    NULL },
	{ 3, "focal points",
	    "ALTER TABLE media_items ADD COLUMN focal_x REAL;"
	    "ALTER TABLE media_items ADD COLUMN focal_y REAL;",
	    NULL },
	{ 4, "durations", "ALTER TABLE media_items ADD COLUMN duration REAL;", NULL },
};

/* The syntax that rendition.c reads. A number out of range fails when the preset is used. */
#define PRESET                                                               \
	"[a-z][a-z0-9-]{0,31}:[0-9]{1,4}x[0-9]{1,4}(:(inside|contain|cover)" \
	"(:(jpeg|png|webp)(:[0-9]{1,3})?)?)?"
#define PRESETS "^(" PRESET "(," PRESET ")*)?(?![\\s\\S])"
#define PRESETS_USUAL "\"thumbnail:240x240:cover,small:640x0,medium:1280x0,large:2048x0\""

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "media:read", .scope = "media:read"
#define WRITES .lane = STET_WRITE, .scope = "media:write"
#define DRAFTS .more = STET_MORE_DRAFTS /* what is new is shown nowhere yet */
#define UPLOADS .lane = STET_SLOW, .permission = "media:upload", .scope = "media:write", DRAFTS
#define TARGETS WRITES, .permission = "media:upload", DRAFTS
#define FOLDERS WRITES, .permission = "media:edit_any"
/* clang-format on */

#define ORDER_TARGET (-10) /* before bearer tokens (modules/auth/README) */

static const struct stet_op ops[] = {
	{ "media_list", "List Media", .about = "Items of the media library, newest first.",
	    .route = "GET /media", .flags = STET_TOOL, READS, .in = list_in, .out = list_out,
	    .run = media_list, .fault = "MEDIA_LIST_ERROR",
	    .find = "images pictures photos files videos documents unused nobody uses library" },
	{ "media_get", "Get Media", .about = "One item of the media library.",
	    .route = "GET /media/:id", .flags = STET_TOOL, READS, .in = get_in, .out = get_out,
	    .run = media_get, .fault = "MEDIA_GET_ERROR",
	    .find = "image picture photo file where used look see describe" },
	{ "media_post", "Upload Media",
	    .about = "Upload a file as the part \"file\" of a form. With it may come alt, "
		     "caption, folderId, width, height and fieldId. A file that is there already "
		     "is answered as it is.",
	    .route = "POST /media", .flags = STET_MULTIPART | STET_CREATED_OR_FOUND, UPLOADS,
	    .out = upload_out, .run = media_post, .body_most = upload_body_most,
	    .fault = "MEDIA_CREATE_ERROR" },
	{ "media_upload", "Upload Media",
	    .about = "Add a file from base64 or a URL; one that is there already is answered.",
	    .route = "POST /media/upload", .flags = STET_TOOL | STET_ADDITIVE, UPLOADS,
	    .in = upload_in, .out = upload_out, .run = media_upload, .fault = "UPLOAD_ERROR",
	    .find = "add image picture photo file video pdf document" },
	{ "media_create", "Register Uploaded Media",
	    .about = "Make an item of a file that is in the store already, under this key.",
	    .flags = STET_TOOL | STET_ADDITIVE, .lane = STET_SLOW, .scope = "media:write",
	    .permission = "media:edit_own", .in = create_in, .out = upload_out, .run = media_create,
	    .fault = "MEDIA_CREATE_ERROR", .find = "register stored file image" },
	{ "media_get_upload_url", "Get Upload URL",
	    .about =
		"A URL to PUT a file to, with these headers; media_confirm_upload then makes it an item.",
	    .route = "POST /media/upload-url", .flags = STET_TOOL | STET_ADDITIVE, TARGETS,
	    .in = url_in, .out = url_out, .run = media_upload_url, .fault = "UPLOAD_URL_ERROR" },
	{ MEDIA_PUT, "Upload to Target",
	    .about = "The bytes of a file for a target: the body, with the headers of the target.",
	    .route = "PUT /media/:id/upload", .flags = STET_SPOOL, UPLOADS, .in = put_in,
	    .out = put_out, .run = media_put_file, .body_most = target_body_most,
	    .fault = "UPLOAD_ERROR", .find = "send big large file image picture photo video" },
	{ "media_confirm_upload", "Confirm Upload",
	    .about = "Make an item of the library of what was uploaded to a target.",
	    .route = "POST /media/:id/confirm",
	    .flags = STET_TOOL | STET_ADDITIVE | STET_IDEMPOTENT | STET_BODY_OPTIONAL, TARGETS,
	    .choose = media_confirm_lane, .in = confirm_in, .out = item_out, .run = media_confirm,
	    .fault = "CONFIRM_ERROR", .find = "file image finish" },
	{ "media_update", "Update Media",
	    .about = "Change what is said of an item; members that are omitted stay.",
	    .route = "PUT /media/:id", .flags = STET_TOOL | STET_IDEMPOTENT, WRITES,
	    .permission = "media:edit_own", .in = update_in, .out = item_out, .run = media_update,
	    .fault = "MEDIA_UPDATE_ERROR",
	    .find = "alt text caption image picture photo file rename folder" },
	{ "media_delete", "Delete Media",
	    .about =
		"Delete an item and its file, for good; with ifUnused=1 only if nothing uses it.",
	    .route = "DELETE /media/:id", .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES,
	    .permission = "media:delete_own", .in = delete_in, .out = delete_out,
	    .run = media_delete, .fault = "MEDIA_DELETE_ERROR",
	    .find = "remove image picture photo file video document library" },
	{ "media_bulk_move", "Move Media Items", .about = "All of them to one folder, or none.",
	    .route = "POST /media/bulk/move", WRITES, .permission = "media:edit_own",
	    .in = bulk_move_in, .out = bulk_moved_out, .run = media_bulk_move,
	    .fault = "MEDIA_UPDATE_ERROR" },
	{ "media_bulk_delete", "Delete Media Items",
	    .about = "All of them and their files, for good, or none.",
	    .route = "POST /media/bulk/delete", .flags = STET_DESTRUCTIVE, WRITES,
	    .permission = "media:delete_own", .in = bulk_delete_in, .out = bulk_deleted_out,
	    .run = media_bulk_delete, .fault = "MEDIA_DELETE_ERROR" },
	{ "media_file", "Get Media File", .about = "The file of an item.",
	    .route = "GET " FILE_PATH ":key", .flags = STET_PUBLIC | STET_FOR_ALL | STET_FILE,
	    .lane = STET_READ, .choose = media_serve_lane, .in = file_in, .run = media_serve,
	    .fault = "FILE_SERVE_ERROR" },
	{ "media_rendition", "Get Rendition URL",
	    .about = "Where anybody may read a smaller copy of an image: a URL with a signature.",
	    .route = "GET /media/:id/rendition", READS, .in = rendition_in, .out = rendition_out,
	    .run = media_rendition, .fault = "MEDIA_GET_ERROR" },

	{ "media_renditions", "Count Renditions",
	    .about = "How many smaller copies of images are kept, of one item or of all.",
	    .route = "GET /media/renditions", .lane = STET_SLOW, .scope = "media:write",
	    .permission = "media:edit_any", .in = kept_in, .out = kept_out, .run = media_renditions,
	    .fault = "MEDIA_GET_ERROR" },
	{ "media_renditions_clear", "Clear Renditions",
	    .about =
		"Remove smaller copies of images, of one item or of all. They are made again when "
		"somebody asks for them.",
	    .route = "DELETE /media/renditions", .lane = STET_SLOW, .scope = "media:write",
	    .permission = "media:edit_any", .in = kept_in, .out = kept_out,
	    .run = media_renditions_clear, .fault = "MEDIA_DELETE_ERROR" },

	{ "media_folders", "Media Folders",
	    .about = "Folders of the media library; media_update moves items into one.",
	    .flags = STET_TOOL | STET_UNTOLD, FOLDERS, .choose = folders_lane, .in = folders_in,
	    .out = folders_out, .run = folders_run, .fault = "MEDIA_FOLDER_LIST_ERROR",
	    .find = "folder directory organize library new rename remove image picture file" },
	{ "media_folder_list", "List Media Folders", .about = "Folders by name.",
	    .route = "GET /media/folders", READS, .in = folder_list_in, .out = folder_list_out,
	    .run = folder_list, .fault = "MEDIA_FOLDER_LIST_ERROR" },
	{ "media_folder_get", "Get Media Folder", .route = "GET /media/folders/:id", READS,
	    .in = by_id, .out = folder_out, .run = folder_get, .fault = "MEDIA_FOLDER_GET_ERROR" },
	{ "media_folder_create", "Create Media Folder", .route = "POST /media/folders",
	    .flags = STET_CREATED, FOLDERS, .in = folder_in, .out = folder_out,
	    .run = folder_create, .fault = "MEDIA_FOLDER_CREATE_ERROR" },
	{ "media_folder_update", "Rename Media Folder", .route = "PUT /media/folders/:id", FOLDERS,
	    .in = folder_update_in, .out = folder_out, .run = folder_update,
	    .fault = "MEDIA_FOLDER_UPDATE_ERROR" },
	{ "media_folder_delete", "Delete Media Folder",
	    .about = "Its items go to the Main library.", .route = "DELETE /media/folders/:id",
	    .flags = STET_DESTRUCTIVE, FOLDERS, .in = by_id, .out = deleted_out,
	    .run = folder_delete, .fault = "MEDIA_FOLDER_DELETE_ERROR" },
};

static const struct stet_permission permissions[] = {
	{ "media:read", 10 },
	{ "media:upload", 20 },
	{ "media:edit_own", 30 },
	{ "media:delete_own", 30 },
	{ "media:edit_any", 40 },
	{ "media:delete_any", 40 },
};

static const struct stet_status_def statuses[] = {
	{ "NO_FILE", 400, "There is no file" },
	{ "INVALID_TYPE", 400, "Files of this type are not allowed" },
	{ "FILE_NOT_FOUND", 400, "Nothing was uploaded" },
	{ "UPLOAD_SIZE_MISMATCH", 400, "The size is not as it was declared" },
	{ "INVALID_STATE", 400, "The media item is not pending" },
	{ "SSRF_BLOCKED", 400, "The address may not be asked" },
	{ "SOURCE_ERROR", 502, "Another server did not answer with what was asked for" },
	{ "MEDIA_LIST_ERROR", 500, "Failed to list media" },
	{ "MEDIA_GET_ERROR", 500, "Failed to read the media item" },
	{ "MEDIA_CREATE_ERROR", 500, "Failed to create the media item" },
	{ "MEDIA_UPDATE_ERROR", 500, "Failed to update the media item" },
	{ "MEDIA_DELETE_ERROR", 500, "Failed to delete the media item" },
	{ "UPLOAD_ERROR", 500, "The upload failed" },
	{ "UPLOAD_URL_ERROR", 500, "Failed to make an upload target" },
	{ "CONFIRM_ERROR", 500, "Failed to confirm the upload" },
	{ "FILE_SERVE_ERROR", 500, "Failed to read the file" },
	{ "MEDIA_FOLDER_LIST_ERROR", 500, "Failed to list media folders" },
	{ "MEDIA_FOLDER_GET_ERROR", 500, "Failed to read the media folder" },
	{ "MEDIA_FOLDER_CREATE_ERROR", 500, "Failed to create the media folder" },
	{ "MEDIA_FOLDER_UPDATE_ERROR", 500, "Failed to rename the media folder" },
	{ "MEDIA_FOLDER_DELETE_ERROR", 500, "Failed to delete the media folder" },
};

/* Types, or families that end with a slash, separated by commas. */
#define TYPE_NAME "[A-Za-z0-9][A-Za-z0-9!#$&^_+.-]*/[A-Za-z0-9!#$&^_+.-]*"
#define TYPES "^(" TYPE_NAME "( *, *" TYPE_NAME ")*)?(?![\\s\\S])"

static const struct stet_setting_def settings[] = {
	{ { "maxUploadSize", STET_INTEGER, STET_BOUNDED, .about = "Most bytes of a file",
	    STET_RANGE(1, UPLOAD_MOST), .fallback = "52428800" } },
	{ { "imagePresets", STET_STRING,
	    .about = "Smaller copies of images that may be had, separated by commas: "
		     "name:WIDTHxHEIGHT:fit:format:quality; the last three may be left out",
	    STET_RANGE(0, 2000), .pattern = PRESETS, .fallback = PRESETS_USUAL } },
	{ { "allowSvg", STET_BOOLEAN,
	    .about =
		"Whether SVG may be uploaded; scripts, links and addresses are removed from it",
	    .fallback = "false" } },
	{ { "moreTypes", STET_STRING,
	    .about = "Types of files that may be uploaded besides the usual ones, separated by "
		     "commas: image/avif, image/heic, text/vtt",
	    STET_RANGE(0, 2000), .pattern = TYPES, .fallback = "\"\"" } },
};

static const struct stet_member folder_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "nameKey", STET_STRING, STET_REQUIRED },
	{ 0 },
};
/* author_id is not transferred, since users are not. */
static const struct stet_member item_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "filename", STET_STRING, STET_REQUIRED },
	{ "mimeType", STET_STRING, STET_REQUIRED },
	{ "size", STET_INTEGER, STET_REQUIRED },
	{ "width", STET_INTEGER },
	{ "height", STET_INTEGER },
	{ "alt", STET_STRING },
	{ "caption", STET_STRING },
	{ "storageKey", STET_STRING, STET_REQUIRED },
	{ "keptKey", STET_STRING, STET_REQUIRED },
	{ "contentHash", STET_STRING },
	{ "sha256", STET_STRING },
	{ "blurhash", STET_STRING },
	{ "dominantColor", STET_STRING },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "folderId", STET_STRING },
	{ "focalX", STET_NUMBER },
	{ "focalY", STET_NUMBER },
	{ "duration", STET_NUMBER },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "media-folders",
	    .table = "media_folders",
	    .row = folder_row,
	    .key = "id",
	    .name = "t.id",
	    .feed = "mediaFolder",
	    .feed_id = "id" },
	{ .kind = "media",
	    .table = "media_items",
	    .row = item_row,
	    .key = "id",
	    .name = "t.id",
	    .where = "t.status = 'ready'",
	    .feed = "media",
	    .feed_id = "id",
	    .changed = item_moved },
};

static const struct stet_command commands[] = {
	{ "media add", .run = add_run,
	    .usage = "FILE ... [--alt TEXT] [--folder FOLDER] [--type TYPE]",
	    .about = "Add files to the media library, and print their ids.",
	    .details =
		"    --alt TEXT       what the images show, in words\n"
		"    --folder FOLDER  id or name of a folder; the Main library without it\n"
		"    --type TYPE      media type of the files; that of their bytes without it\n" },
	{ "media list", "media_list", .print = "id filename mimeType size createdAt",
	    .about = "List media items, newest first." },
	{ "media show", "media_get", .operands = "id", .about = "Show one media item." },
	{ "media delete", "media_delete", .operands = "id",
	    .about = "Delete a media item and its file, for good." },
	{ "media verify", .run = verify_run, .usage = "",
	    .about = "Compare all files of the library with what is known of them." },
	{ "media move", .run = move_run, .usage = "--to directory|DRIVER",
	    .about = "Move the files of the site to a bucket, or back.",
	    .details =
		"    --to directory|DRIVER  where the files go, as `files` in stet.conf says it (s3)\n"
		"Copies what is not there yet and compares digests; may be interrupted and run again.\n"
		"Originals are removed when `files` says the same and no stetd runs on the site.\n" },
	{ "media renditions", "media_renditions",
	    .about = "How many smaller copies of images are kept, and their bytes." },
	{ "media renditions clear", "media_renditions_clear",
	    .about = "Remove smaller copies of images; they are made again when somebody asks." },
	{ "media sweep", .run = sweep_command_run, .usage = "",
	    .about =
		"Remove uploads that were not confirmed within an hour, and files that no item names." },
};

static const struct stet_hook hooks[] = {
	STET_ON(request_authenticate, ORDER_TARGET, targeturl_authenticate),
};
static const struct stet_check checks[] = {
	{ "media", check_run },
	{ "images", image_check, .seconds = 30, .machine = true },
};
static const char *const needs[] = { "auth", NULL };
static const char *const guarded[] = { "/media", NULL };
static const struct stet_media_1 service = { .find = media_find,
	.type_in = type_in,
	.join = media_join,
	.columns = media_columns,
	.add = media_add,
	.owners = media_owners,
	.gone = media_gone };
static const struct stet_images_1 images = {
	.look = image_look, .rendition_open = rendition_open, .renditions = rendition_kept
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_MEDIA_1, service),
	STET_SERVICE(STET_IMAGES_1, images) };
static const struct stet_job jobs[] = { { "uploads", sweep_due, sweep_run },
	{ "measure", measure_due, measure_run } };
static const struct stet_metric metrics[] = {
	{ "uploads_total", "Files that were uploaded." },
	{ "upload_bytes_total", "Bytes of these." },
	{ "deduplicated_total", "Uploads of files that the library had already." },
	{ "undecoded_total", "Images that could not be decoded." },
	{ "items", "Items of the library.", .gauge = true },
	{ "bytes", "Size of their files.", .gauge = true },
};

STET_MODULE(media) = {
	STET_MODULE_HEAD(media),
	.version = "1.0",
	.summary = "The media library: files, what is known of them, folders",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.settings = STET_TABLE(settings),
	.files = { &media_files, 1, sizeof(media_files) },
	.transfers = STET_TABLE(transfers),
	.commands = STET_TABLE(commands),
	.checks = STET_TABLE(checks),
	.services = STET_TABLE(services),
	.includes = STET_TABLE(media_includes),
	.statuses = STET_TABLE(statuses),
	.jobs = STET_TABLE(jobs),
	.metrics = STET_TABLE(metrics),
	.guarded = guarded,
	.state_size = sizeof(struct media_state),
	.open = media_open,
	.close = media_close,
};
