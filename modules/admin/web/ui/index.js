// index.js - the components that pages are made of.
export { Button } from "./button.js";
export { Dialog, ask } from "./dialog.js";
export { Field, TextField, SelectField, Tick, Switch, Segments } from "./field.js";
export { FormFoot } from "./formfoot.js";
export { Icon } from "./icon.js";
export { say } from "./live.js";
export { Mark, ItemMark } from "./mark.js";
export { Menu } from "./menu.js";
export { tell, tellEnd, tellProblem, clearNotice } from "./notice.js";
export { Copy, Once } from "./once.js";
export { Problem, explain } from "./problem.js";
export { Waiting, Empty, Loaded } from "./state.js";
export { Table } from "./table.js";
export { Time } from "./time.js";
