// upload.js - sends a form with files by XMLHttpRequest, because fetch reports no upload progress.
import { ApiError, ROOT, answerOf, refusal, signedIn } from "./api.js";

/**
 * Resolves with the data of the response. @param {string} path below the root of the API @param {FormData} form
 * @param {{signal?: AbortSignal, onProgress?: (share: number) => void}} [how] share: 0 to 1
 * @returns {Promise<any>}
 */
export const sendForm = (path, form, how = {}) =>
	signedIn(
		() =>
			new Promise((resolve, reject) => {
				const request = new XMLHttpRequest();

				request.open("POST", ROOT + path);
				request.setRequestHeader("X-CMS-Request", "1");
				request.upload.onprogress = (event) =>
					event.lengthComputable && how.onProgress?.(event.loaded / event.total);
				request.onerror = () => reject(new ApiError(0, { code: "OFFLINE" }));
				request.onabort = () => reject(new DOMException("", "AbortError"));
				request.onload = () => {
					const answer = answerOf(request.responseText);

					if (request.status < 300 && answer !== null) resolve(answer.data);
					else
						reject(
							refusal(request.status, answer, (name) =>
								request.getResponseHeader(name),
							),
						);
				};
				how.signal?.addEventListener("abort", () => request.abort());
				request.send(form);
			}),
	);
