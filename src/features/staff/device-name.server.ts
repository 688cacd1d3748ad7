import Bowser from 'bowser';

/** Longer ones are nobody's browser. */
const LONGEST_HEADER = 500;

/**
 * Browser and system of a request, as the session list names it: "Firefox, Windows". Names alone, from the header that
 * the browser sends; null where it names neither.
 */
export function deviceName(request: Request): string | null {
  const header = request.headers.get('user-agent')?.slice(0, LONGEST_HEADER);
  if (!header) return null;
  const { browser, os } = Bowser.parse(header);
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return names.length === 0 ? null : names.join(', ');
}
