/** How long a link by e-mail works; the draft itself lives two days longer. */
export const LINK_DAYS = 28;
