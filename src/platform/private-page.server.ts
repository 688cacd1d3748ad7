/** Headers of a page with personal or secret data: it is kept nowhere and found by nobody. */
export const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
