/** The control that says which address was chosen when an e-mail field asked whether it was mistyped. */
export const EMAIL_ANSWER = 'emailAnswer';
