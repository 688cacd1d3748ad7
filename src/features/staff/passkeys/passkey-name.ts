export const LONGEST_PASSKEY_NAME = 60;

/** What its owner calls a passkey, as it is stored; empty for nothing. */
export const passkeyName = (typed: string): string =>
  typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_PASSKEY_NAME).trim();

/** The control with a passkey's new name. */
export const passkeyNameField = (id: string): string => `passkey-name-${id}`;
