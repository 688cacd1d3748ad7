/** The class of a document whose scripts could not be loaded or read: it is used as without scripts. */
export const UNSCRIPTED = 'unscripted';

/** The event of its window that says so. */
export const FAILED_EVENT = 'scripts-failed';
