/** Ids of the elements that hold what a page's scripts begin with: which files, as JSON, and the page's data. */
export const PAGE_FILES_ID = 'page-files';
export const PAGE_DATA_ID = 'page-data';

export type PageFiles = {
  /** The framework's own, in the order in which they are run. */
  entry: readonly string[];
  /** Those of the page's components, outermost first. */
  modules: readonly string[];
  /** What all of them need, fetched ahead. */
  preloads: readonly string[];
};

/** What a page is drawn from, on the server and in the browser; written with `devalue`, because JSON alone has no dates. */
export type PageData = {
  basename: string;
  address: { pathname: string; search: string };
  params: Readonly<Record<string, string | undefined>>;
  /** Whether a request that did not get through is told on the page: its answer is then `{ offline: true }`. */
  tellsOffline: boolean;
  loaderData: unknown;
  actionData?: unknown;
};

/** How a program asks for a page's data instead of its document. */
export const PAGE_DATA_TYPE = 'application/json';

/** What an action or a loader answers to a page's scripts: where to go, or what to show; what is left out stays as it is. */
export type PageAnswer<Answer = unknown> =
  | { to: string }
  | { loaderData?: unknown; actionData?: Answer };
