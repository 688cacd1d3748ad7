/** Headers of a page or file with personal or secret data: no cache stores it and no search engine lists it. */
export const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** The same for a page that limits guesses, with the `Retry-After` of its loader or action. */
export function privatePageThatWaits({
  loaderHeaders,
  actionHeaders,
}: {
  loaderHeaders: Headers;
  actionHeaders: Headers;
}): Headers {
  const headers = new Headers(PRIVATE_PAGE);
  const wait = actionHeaders.get('Retry-After') ?? loaderHeaders.get('Retry-After');
  if (wait) headers.set('Retry-After', wait);
  return headers;
}
