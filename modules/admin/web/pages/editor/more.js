// more.js - what the editor shows beside, below and over the text. It is fetched while the text can be typed in already.
import "../../editor/morewords.js";
export { Blocks } from "./blocks.js";
export { ItemField } from "./fields.js";
export { Merge } from "./merge.js";
export { Keys, Preview } from "./over.js";
export { Panel } from "./panel.js";
