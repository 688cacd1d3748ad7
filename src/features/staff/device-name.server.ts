import Bowser from 'bowser';

/** Characters of a browser's header that are read. */
const LONGEST_HEADER = 500;

/**
 * Browser and system of a request for the list of sessions: "Firefox, Windows". Only names, from the User-Agent header;
 * null where it contains neither.
 */
export function deviceName(request: Request): string | null {
  const header = request.headers.get('user-agent')?.slice(0, LONGEST_HEADER);
  if (!header) return null;
  const { browser, os } = Bowser.parse(header);
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return names.length === 0 ? null : names.join(', ');
}
