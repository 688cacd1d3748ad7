/** The kinds of text that a traveller types, and messages about them, as every application has them. */
export {
  date,
  documentNumber,
  email,
  latinText,
  name,
  oneOf,
  phone,
  text,
} from '~/features/visa/texts.ts';
export { asLine, asSentences, type Message } from '~/features/visa/words.ts';
export { machineReadable } from '~/features/visa/machine-readable.ts';
