// morewords.js - the texts of what comes after the text can be typed in: panel, dialogs, comparing. Imported for its effect.
import { addWords } from "../lib/words.js";
import en from "./en.json";
import more from "./more.json";

addWords("editor", { ...en, ...more });
