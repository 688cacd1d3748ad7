/** The kinds of text that a traveller types, as every application takes them. */
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
