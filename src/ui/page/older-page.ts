// A page that was opened before a release: files of its build may be gone.

type FetchFile = () => Promise<unknown> | null;

const ahead = new Set<FetchFile>();
let found: Promise<boolean> = Promise.resolve(false);

/** Has a file fetched as soon as somebody uses the page. */
export const fetchAhead = (fetchFile: FetchFile): void => void ahead.add(fetchFile);

/** Begins to listen for the first use of the page. */
export function fetchWhenUsed(): void {
  const controller = new AbortController();
  const begin = () => {
    controller.abort();
    found = checkFiles();
  };
  const { signal } = controller;
  for (const use of ['pointerdown', 'keydown']) {
    addEventListener(use, begin, { passive: true, signal });
  }
}

/**
 * Whether a file that an answer may need is gone. Then the browser sends forms itself, and the server renders the
 * answer with its present build.
 */
export const isOlder = (): Promise<boolean> => found;

async function checkFiles(): Promise<boolean> {
  const files = await Promise.allSettled([...ahead].map(async (fetchFile) => fetchFile()));
  return files.some(({ status }) => status === 'rejected') && isReachable();
}

/** Without a connection no file arrives, nor would a new page. */
const isReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );

/** When this tab was last opened anew, in milliseconds of 1970. */
const OPENED_ANEW = 'openedAnew';
/**
 * In milliseconds: it is not repeated sooner, because where a new document does not find its files either, it does not
 * help.
 */
const PAUSE_MS = 60_000;

/** Opens the page anew, but not twice in a minute, and not without a connection. */
export async function openAnew(): Promise<void> {
  if (!(await isReachable())) return;
  try {
    const now = Date.now();
    if (now - Number(sessionStorage.getItem(OPENED_ANEW)) < PAUSE_MS) return;
    sessionStorage.setItem(OPENED_ANEW, String(now));
  } catch {
    // Without session storage it could repeat endlessly.
    return;
  }
  location.reload();
}
