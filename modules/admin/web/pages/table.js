// table.js - the table of pages, one row each. No other file lists them all (README, "To add a page").
import { segment } from "../lib/api.js";
import { has, may } from "../lib/site.js";

/**
 * @typedef {object} PageRow
 * @property {string} name its folder; the title is the text "pages.NAME"
 * @property {string} path below /_cms/admin; ":name" is a parameter. At most six segments
 * @property {() => Promise<{default: (props: PageProps) => any}>} load the module, fetched when the page is opened
 * @property {(manifest: import("../lib/site.js").Manifest) => boolean} [may] true if the person may see the page; absent: everybody who is signed in
 * @property {"write" | "structure" | "site"} [group] its group in the menu; absent: not in the menu
 * @property {number} [order] within its group
 * @property {boolean} [isDoor] shown before sign-in, without the shell
 * @property {(params: Record<string, string>) => string[]} [asks] GET requests to start with the document, before the module is loaded
 * @property {boolean} [hasOwnBar] the page sets ownBar (shell/open.js); until then the shell's bar has the same height
 *
 * @typedef {{params: Record<string, string>, query: Record<string, string>, row: PageRow}} PageProps
 */

/** @param {Record<string, string>} params */
const asksOfEditor = ({ collection, id }) => [
	`/admin/manifest/${segment(collection)}`,
	...(id === "new" ? [] : [`/content/${segment(collection)}/${segment(id)}`]),
];

/** @type {PageRow[]} */
export const pages = [
	{ name: "signin", path: "/signin", load: () => import("./signin/index.js"), isDoor: true },
	{ name: "link", path: "/link", load: () => import("./link/index.js"), isDoor: true },
	{ name: "invite", path: "/invite", load: () => import("./invite/index.js"), isDoor: true },
	{ name: "setup", path: "/setup", load: () => import("./setup/index.js"), isDoor: true },
	{ name: "start", path: "/", load: () => import("./start/index.js"), group: "write", order: 0 },
	{ name: "list", path: "/collections/:collection", load: () => import("./list/index.js") },
	{
		name: "media",
		path: "/media",
		load: () => import("./media/index.js"),
		group: "write",
		order: 60,
		may: () => has("media") && may("media:read"),
	},
	{
		name: "releases",
		path: "/releases",
		load: () => import("./releases/index.js"),
		group: "write",
		order: 61,
		may: () => has("releases") && may("releases:read"),
	},
	{
		name: "release",
		path: "/releases/:release",
		load: () => import("./releases/release.js"),
		may: () => has("releases") && may("releases:read"),
	},
	{
		name: "calendar",
		path: "/calendar",
		load: () => import("./calendar/index.js"),
		group: "write",
		order: 62,
		may: () => has("releases") && may("releases:read"),
	},
	{
		name: "taxonomies",
		path: "/taxonomies",
		load: () => import("./taxonomies/index.js"),
		group: "structure",
		order: 20,
		may: () => has("taxonomies") && may("taxonomies:manage"),
	},
	{
		name: "taxonomy",
		path: "/taxonomies/:name/:locale",
		load: () => import("./taxonomies/terms.js"),
		may: () => has("taxonomies") && may("taxonomies:manage"),
	},
	{
		name: "menus",
		path: "/menus",
		load: () => import("./menus/index.js"),
		group: "structure",
		order: 10,
		may: () => has("menus") && may("menus:manage"),
	},
	{
		name: "menu",
		path: "/menus/:name/:locale",
		load: () => import("./menus/menu.js"),
		may: () => has("menus") && may("menus:manage"),
	},
	{
		name: "sections",
		path: "/sections",
		load: () => import("./sections/index.js"),
		group: "structure",
		order: 30,
		may: () => has("sections") && may("sections:manage"),
	},
	{
		name: "section",
		path: "/sections/:section",
		load: () => import("./sections/section.js"),
		may: () => has("sections") && may("sections:manage"),
	},
	{
		name: "widgets",
		path: "/widgets",
		load: () => import("./widgets/index.js"),
		group: "structure",
		order: 40,
		may: () => has("widgets") && may("widgets:manage"),
	},
	{
		name: "widget",
		path: "/widgets/:area/:widget",
		load: () => import("./widgets/widget.js"),
		may: () => has("widgets") && may("widgets:manage"),
	},
	{
		name: "bylines",
		path: "/bylines",
		load: () => import("./bylines/index.js"),
		group: "structure",
		order: 50,
		may: () => has("bylines") && may("bylines:manage"),
	},
	{
		name: "byline",
		path: "/bylines/:id",
		load: () => import("./bylines/byline.js"),
		may: () => has("bylines") && may("bylines:manage"),
	},
	{
		name: "users",
		path: "/users",
		load: () => import("./users/index.js"),
		group: "site",
		order: 30,
		may: () => may("users:read"),
	},
	{
		name: "tokens",
		path: "/tokens",
		load: () => import("./tokens/index.js"),
		group: "site",
		order: 40,
		may: () => may("auth:manage_connections"),
	},
	{
		name: "comments",
		path: "/comments",
		load: () => import("./comments/index.js"),
		group: "write",
		order: 70,
		may: () => has("comments") && may("comments:moderate"),
	},
	{
		name: "reviews",
		path: "/reviews",
		load: () => import("./reviews/index.js"),
		group: "write",
		order: 65,
		may: () => has("reviews") && may("reviews:read"),
	},
	{
		name: "approvals",
		path: "/approvals",
		load: () => import("./approvals/index.js"),
		group: "write",
		order: 66,
		may: () => has("reviews") && may("reviews:ask"),
	},
	{
		name: "approval",
		path: "/approvals/:approval",
		load: () => import("./approvals/approval.js"),
		may: () => has("reviews") && may("reviews:ask"),
	},
	{
		name: "settings",
		path: "/settings",
		load: () => import("./settings/index.js"),
		group: "site",
		order: 10,
		may: () => has("settings") && may("settings:read"),
	},
	{
		name: "plugins",
		path: "/plugins",
		load: () => import("./plugins/index.js"),
		group: "site",
		order: 50,
		may: () => may("plugins:read"),
	},
	{
		name: "plugin",
		path: "/plugins/:id",
		load: () => import("./plugin/index.js"),
		may: () => may("plugins:read"),
	},
	{ name: "frame", path: "/plugins/:id/:page", load: () => import("./frame/index.js") },
	{
		name: "webhooks",
		path: "/webhooks",
		load: () => import("./webhooks/index.js"),
		group: "site",
		order: 60,
		may: () => has("webhooks") && may("webhooks:manage"),
	},
	{
		name: "webhook",
		path: "/webhooks/:id",
		load: () => import("./webhook/index.js"),
		may: () => has("webhooks") && may("webhooks:manage"),
	},
	{
		name: "assistants",
		path: "/assistants",
		load: () => import("./assistants/index.js"),
		group: "site",
		order: 45,
		may: () => has("oauth"),
	},
	{
		name: "activity",
		path: "/activity",
		load: () => import("./activity/index.js"),
		group: "site",
		order: 46,
		may: () => has("history") && may("history:read"),
	},
	{
		name: "session",
		path: "/activity/:session",
		load: () => import("./activity/session.js"),
		may: () => has("history") && may("history:read"),
	},
	{
		name: "schema",
		path: "/schema",
		load: () => import("./schema/index.js"),
		group: "site",
		order: 0,
		may: () => may("schema:read"),
	},
	{
		name: "collection",
		path: "/schema/:collection",
		load: () => import("./schema/collection.js"),
		may: () => may("schema:read"),
	},
	{
		name: "blocks",
		path: "/blocks",
		load: () => import("./blocks/index.js"),
		group: "site",
		order: 1,
		may: () => may("schema:read"),
	},
	{
		name: "block",
		path: "/blocks/:block",
		load: () => import("./blocks/block.js"),
		may: () => may("schema:read"),
	},
	{
		name: "imports",
		path: "/imports",
		load: () => import("./imports/index.js"),
		group: "site",
		order: 65,
		may: () => has("import") && may("import:execute"),
	},
	{
		name: "import",
		path: "/imports/:id",
		load: () => import("./import/index.js"),
		may: () => has("import") && may("import:execute"),
	},
	{
		name: "audit",
		path: "/audit",
		load: () => import("./audit/index.js"),
		group: "site",
		order: 70,
		may: () => has("audit") && may("audit:read"),
	},
	{
		name: "health",
		path: "/health",
		load: () => import("./health/index.js"),
		group: "site",
		order: 80,
		may: () => may("plugins:read"),
	},
	{
		name: "backups",
		path: "/backups",
		load: () => import("./backups/index.js"),
		group: "site",
		order: 75,
		may: () => has("backups") && may("backups:manage"),
	},
	{ name: "operation", path: "/do/:operation", load: () => import("./operation/index.js") },
	{ name: "me", path: "/me", load: () => import("./me/index.js") },
	{
		name: "editor",
		path: "/collections/:collection/:id",
		load: () => import("./editor/index.js"),
		hasOwnBar: true,
		asks: asksOfEditor,
	},
	{ name: "compare", path: "/collections/:collection/:id/compare", load: () => import("./editor/compare.js") },
];
