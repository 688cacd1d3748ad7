/** For how long the payer's link in an e-mail works; as long as a browser's session. */
export const PAYER_LINK_DAYS = 30;
