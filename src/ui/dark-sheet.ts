/** The address of the style sheet with the desk's dark colours. Its link says for which screens they are. */
export { default as darkSheet } from './css/dark.css?url';
