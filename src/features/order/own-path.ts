/** Our own pages by path, so that a visitor stays on the host name by which they came; other addresses unchanged. */
export const ownPath = (url: string, publicUrl: string): string =>
  url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
