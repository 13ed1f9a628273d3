// errors.ts - what a call rejects with. An aborted call rejects with the reason of its signal instead.

/** What is wrong with one member of the request. */
export interface Issue {
	path: string;
	message: string;
}

/** The item that had a slug before, as it is now. */
export interface Moved {
	collection: string;
	id: string;
	slug: string;
	locale: string;
	/** The path of its page; null: the collection has no urlPattern. */
	url: string | null;
}

/** The member `error` of an answer. */
export interface ErrorBody {
	code?: string;
	message?: string;
	details?: Record<string, unknown>;
}

/** The valid elements of `details.issues`: a proxy in between may send any JSON. */
function issuesOf(list: unknown): Issue[] {
	return Array.isArray(list)
		? list.filter((one) => typeof one?.path === "string" && typeof one.message === "string")
		: [];
}

/** The first issue as the end of a message, and how many more there are. */
function firstOf([first, ...more]: Issue[]): string {
	return first
		? `: ${first.path && `${first.path}: `}${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ""}`
		: "";
}

/**
 * The server refused, or could not be reached. `code` is that of the answer (VALIDATION_ERROR, NOT_FOUND, FORBIDDEN,
 * RATE_LIMITED and others), or one of the client's own, with status 0: NETWORK, TIMEOUT. NOT_UNDERSTOOD: something else
 * than stet answered, for example a proxy.
 */
export class StetError extends Error {
	/** The HTTP status; 0: there was no answer. */
	readonly status: number;
	readonly code: string;
	readonly details: Record<string, unknown>;
	/** What the server said as a whole. `message` has the first of `issues`, too, for a log: pages that list them show this. */
	readonly summary: string;
	/** For VALIDATION_ERROR: all that is wrong, with the path of each member. */
	readonly issues: Issue[];
	/** Names the request in the server's log. */
	readonly requestId: string;
	/** Seconds until the server wants to be asked again; 0: it did not say. */
	readonly retryAfter: number;

	constructor(
		status: number,
		body: ErrorBody,
		options: { cause?: unknown; requestId?: string; retryAfter?: number } = {},
	) {
		const details = body.details ?? {};
		const summary = body.message ?? body.code ?? "";
		const issues = issuesOf(details.issues);
		super(summary + firstOf(issues), "cause" in options ? { cause: options.cause } : {});
		this.name = "StetError";
		this.status = status;
		this.code = body.code ?? "";
		this.details = details;
		this.summary = summary;
		this.issues = issues;
		this.requestId = options.requestId ?? "";
		this.retryAfter = options.retryAfter ?? 0;
	}

	/** For NOT_FOUND: where an item is that had this slug before. Send visitors there with status 301. */
	get moved(): Moved | undefined {
		return this.details.moved as Moved | undefined;
	}
}

/** The item has changed since `_rev` was read: read it again, merge, and save with the new `_rev`. Nothing was written. */
export class ConflictError extends StetError {
	override readonly name = "ConflictError";

	/** The `_rev` that the item has now. */
	get currentRev(): string | undefined {
		return this.details.currentRev as string | undefined;
	}
	/** The revision with the newest values. */
	get currentRevisionId(): string | undefined {
		return this.details.currentRevisionId as string | undefined;
	}
	/** The revision with the values that `_rev` stood for, for a merge of three sides. */
	get baseRevisionId(): string | undefined {
		return this.details.baseRevisionId as string | undefined;
	}
}

/** The change feed does not reach back to this cursor: read everything anew, and go on from `client.cursor()`. */
export class ExpiredError extends StetError {
	override readonly name = "ExpiredError";
}

/** The error of an answer, in its class. */
export function errorOf(
	status: number,
	body: ErrorBody,
	options: { requestId?: string; retryAfter?: number },
): StetError {
	const known =
		status === 410 && body.code === "CURSOR_EXPIRED"
			? ExpiredError
			: status === 412 || (body.code === "CONFLICT" && body.details?.currentRev !== undefined)
				? ConflictError
				: StetError;

	return new known(status, body, options);
}
