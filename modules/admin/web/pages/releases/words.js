// words.js - the texts of the pages of releases, and of the dialog that adds to one.
import { addWords } from "../../lib/words.js";
import en from "./en.json";

export const t = addWords("releases", en);
