// morewords.js - texts of the parts of the editor that load later: panel, dialogs, comparing. Imported for its effect.
import { addWords } from "../lib/words.js";
import en from "./en.json";
import more from "./more.json";

addWords("editor", { ...en, ...more });
