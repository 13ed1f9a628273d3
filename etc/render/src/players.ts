// players.ts - films, sounds, and pages of others, which are links until somebody follows them.
import { element, escape, hostOf, own, text } from "./address.js";
import { fileOf, isOwn } from "./picture.js";
import type { Block, Context } from "./types.js";

const providers: Record<string, string> = {
	youtube: "YouTube",
	vimeo: "Vimeo",
	twitter: "X",
	instagram: "Instagram",
	facebook: "Facebook",
	tiktok: "TikTok",
	spotify: "Spotify",
	soundcloud: "SoundCloud",
	codepen: "CodePen",
	gist: "GitHub Gist",
};
const film = /\.(mp4|m4v|webm|ogv|mov)([?#]|$)/i,
	sound = /\.(mp3|m4a|ogg|oga|opus|wav|flac|aac)([?#]|$)/i;

/** "video", "audio" or "": by the ending of an address. */
export const kindOf = (url: string): string => (film.test(url) ? "video" : sound.test(url) ? "audio" : "");

/** Where a link to a film leads, and the player that a script may put in its place. */
function places(url: string, provider: string): { page: string; player: string } {
	const tube = /(?:[?&]v=|youtu\.be\/|\/(?:embed|v|shorts|live)\/)([\w-]{11})/.exec(url)?.[1],
		vimeo = /vimeo\.com\/(?:video\/)?(\d+)/.exec(url)?.[1];

	if (provider === "youtube" && tube)
		return {
			page: /\/(embed|v)\//.test(url) ? `https://www.youtube.com/watch?v=${tube}` : url,
			player: `https://www.youtube-nocookie.com/embed/${tube}`,
		};
	if (provider === "vimeo" && vimeo)
		return {
			page: url.includes("player.") ? `https://vimeo.com/${vimeo}` : url,
			player: `https://player.vimeo.com/video/${vimeo}?dnt=1`,
		};
	return { page: url, player: "" };
}

const posterOf = (context: Context, block: Block): string =>
	isOwn(context, block.poster) ? context.src(block.poster) : "";

/** A link to a page that would be a frame, with its title, and a poster if that is a file of the site. */
export function facadeHtml(context: Context, block: Block, play: (name: string) => string): string {
	const url = context.href(text(block.url)),
		host = hostOf(url);
	const provider =
		text(block.provider) ||
		(/(^|\.)youtu(be(-nocookie)?\.com|\.be)$/.test(host)
			? "youtube"
			: /(^|\.)vimeo\.com$/.test(host)
				? "vimeo"
				: "");
	const { page, player } = places(url, provider);
	const name = own(providers, provider) ?? (host || provider);
	const poster = posterOf(context, block);

	return (
		url &&
		element(
			"a",
			{ class: "facade", href: page, "data-player": player, rel: "noopener noreferrer" },
			(poster && element("img", { src: poster, alt: "", loading: "lazy" })) +
				element("strong", {}, escape(text(block.title) || play(name))) +
				(host && element("span", {}, escape(host))),
		)
	);
}

/** A player of the browser, which loads nothing before it is started. */
export function playerHtml(context: Context, block: Block, kind: string): string {
	const url = fileOf(context, block);
	const title = text(block.title);

	return (
		url &&
		element(
			kind,
			{
				src: url,
				controls: true,
				preload: "none",
				title,
				poster: kind === "video" && posterOf(context, block),
			},
			element("a", { href: url }, escape(title || url)),
		)
	);
}
