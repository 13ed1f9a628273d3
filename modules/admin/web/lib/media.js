// media.js - files of the media library: uploading, thumbnails, sizes in words.
import { ApiError } from "./api.js";
import { manifest } from "./site.js";
import { sendForm } from "./upload.js";
import { formatter, wordsOf } from "./words.js";

const t = wordsOf("shared");
const MEGABYTE = 1 << 20; // as settings count it

/** The address of the smallest rendition of a picture, or of the picture itself. @param {any} item */
export const tileOf = (item) =>
	/\?preset=/.test(item.srcset ?? "") ? item.srcset.split(",")[0].trim().split(/\s+/)[0] : item.url;

/** The file name's extension, shown instead of a thumbnail: "PDF". @param {any} item */
export const endingOf = (item) => (item.filename ?? "").split(".").at(-1)?.slice(0, 4).toUpperCase() ?? "";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** "2.1 MB". @param {number} bytes */
export function sizeOf(bytes) {
	const step = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
	const value = bytes / 1000 ** step;

	return formatter("NumberFormat", {
		style: "unit",
		unit: UNITS[step],
		unitDisplay: step === 0 ? "long" : "short",
		maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
	}).format(value);
}

/** Why a file cannot be uploaded, found before it is sent; null: it can. @param {{size: number}} file */
export function refusalOf(file) {
	const most = manifest.value?.maxUploadSize;

	if (most === undefined || file.size <= most) return null;
	const size = formatter("NumberFormat", {
		style: "unit",
		unit: "megabyte",
		maximumFractionDigits: most < MEGABYTE ? 2 : 0,
	}).format(most / MEGABYTE);
	return new ApiError(413, { code: "PAYLOAD_TOO_LARGE", message: t("tooLarge", { size }) });
}

/**
 * Uploads one file; resolves with its item, and whether the library had it already.
 * @param {File} file
 * @param {{fieldId?: string, signal?: AbortSignal, onProgress?: (share: number) => void}} [how] share: 0 to 1
 * @returns {Promise<{item: any, deduplicated?: boolean}>}
 */
export function uploadFile(file, how = {}) {
	const form = new FormData(),
		refused = refusalOf(file);

	if (refused) return Promise.reject(refused);
	form.append("file", file);
	if (how.fieldId) form.append("fieldId", how.fieldId);
	return sendForm("/media", form, how);
}

/** Uploads one file; resolves with its item. @param {File} file @param {{fieldId?: string}} [how] */
export const upload = async (file, how) => (await uploadFile(file, how)).item;
