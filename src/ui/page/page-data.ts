/** Name of the element that holds what a page's scripts begin with. */
export const PAGE_DATA_ID = 'page-data';

/** What a page's scripts begin with; written by the server as JSON. */
export type PageData = {
  /** The framework's own files, in the order in which they are run. */
  entry: readonly string[];
  /** The files of the page's components, outermost first. */
  modules: readonly string[];
  /** Files that those need, fetched ahead. */
  preloads: readonly string[];
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
