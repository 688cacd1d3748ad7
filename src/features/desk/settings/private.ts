/** Headers of every page of the settings. */
export const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
