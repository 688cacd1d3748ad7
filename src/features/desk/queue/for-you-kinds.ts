/** What an entry of the list “For you” says; texts in `for-you:kind.<kind>`. */
export const forYouKinds = ['assigned', 'mentioned'] as const;
export type ForYouKind = (typeof forYouKinds)[number];

/** Entries shown: the newest. */
export const MOST_FOR_YOU = 100;
