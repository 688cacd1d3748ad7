/** Days that the payer's link in an email works, as long as a browser's session. */
export const PAYER_LINK_DAYS = 30;
