/** The address of the style sheet for paper. Browsers draw a page without waiting for it, as its link says `print`. */
export { default as printSheet } from './css/print.css?url';
