// bulkwords.js - the texts of the bulk edit.
import { addWords } from "../../lib/words.js";
import en from "./bulk.json";

export const t = addWords("bulk", en);
