// Browsers, workers and bundlers: the default export loads the module.
export * from "./shisa.js";
export { default, __wbg_reset_state as reset } from "./shisa.js";
export { ShisaError, onPanic } from "./glue.js";
