/** The address of the style sheet with the desk's dark colours. Its link says for which screens they are. */
export { default as darkSheet } from './css/dark.css?url';

/** The address of the style sheet for paper. Browsers draw a page without waiting for it, as its link says `print`. */
export { default as printSheet } from './css/print.css?url';
