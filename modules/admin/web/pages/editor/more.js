// more.js - the parts of the editor beside, below and over the text. They load after the text can be typed in.
import "../../editor/morewords.js";
export { beginTranslation, Notes, Original, SlugField } from "./around.js";
export { ItemField } from "./fields.js";
export { Merge } from "./merge.js";
export { Keys } from "./over.js";
export { Panel } from "./panel.js";
