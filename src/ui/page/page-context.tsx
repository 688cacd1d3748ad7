import { createContext, use } from 'react';

/** Where a page is, without the language in front, as the visitor's address has it. */
export type PageAddress = { pathname: string; search: string };

/** What a page knows of itself and can do with its form, the same on the server and in the browser. */
export type CurrentPage = {
  /** Stands in front of every path of ours: empty, or a slash and the language. */
  basename: string;
  address: PageAddress;
  /** What is being sent and not answered yet. */
  sending: FormData | null;
  /** How many answers of the server the page has shown since it was opened. */
  answers: number;
  /** Sends values to this page's action and shows what it answers. Does nothing on the server. */
  send: (body: FormData, options?: SendOptions) => Promise<void>;
  /** Sends values and hands back what the action answers; the page stays as it is. Null where nothing usable came back. */
  post: <Answer>(body: FormData) => Promise<Answer | null>;
  /** Asks for the page's data again. */
  reload: () => Promise<void>;
};

export type SendOptions = {
  /** Another page's path; its answer then replaces this page. */
  action?: string;
  /** Whose native submission takes over when an answer cannot be shown in place. */
  form?: HTMLFormElement;
  submitter?: HTMLElement | null;
};

const nowhere = async () => undefined;

/** A page that is only shown: nothing is sent from it. */
export const makePage = (basename: string, address: PageAddress): CurrentPage => ({
  basename,
  address,
  sending: null,
  answers: 0,
  send: nowhere,
  post: async () => null,
  reload: nowhere,
});

const PageContext = createContext<CurrentPage>(makePage('', { pathname: '/', search: '' }));

export const PageProvider = PageContext.Provider;

export const usePage = (): CurrentPage => use(PageContext);

/** A path of ours as this page's links name it: in the page's language. */
export const useHref = (to: string): string => pageHref(usePage().basename, to);

/** Whatever is no path of ours (a query, a fragment, another site) stays as it is. */
export function pageHref(basename: string, to: string): string {
  if (!to.startsWith('/')) return to;
  return to === '/' ? basename || '/' : basename + to;
}

/** Values as a form would send them. */
export function toFormData(values: Readonly<Record<string, string>>): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.append(name, value);
  return fields;
}
