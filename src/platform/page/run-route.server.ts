import {
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  type RouterContextProvider,
  type UNSAFE_DataWithResponseInit as WithInit,
} from 'react-router';
import { copyHeaders } from '../http/cookies.server.ts';
import type { RouteMatch, RouteModule } from './route-table.server.ts';

/** What a page is drawn from. */
export type PageResult = {
  status: number;
  headers: Headers;
  /** Left out where the page keeps what it has. */
  loaderData?: unknown;
  actionData?: unknown;
  /** What was thrown, on purpose (`PageError`) or not. */
  error?: unknown;
};

/** There is no page: what a route says by throwing `data(…, { status })`. */
export class PageError extends Error {
  readonly status: number;
  readonly headers: Headers;
  constructor(status: number, headers = new Headers()) {
    super(`A page was answered with ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Runs a route's middleware, its action where the method changes something, and then its loader. A `Response` is the whole
 * answer; everything else goes into a page. `keepsData` says of an action's answer that the page stays as it is: then
 * nothing is loaded. Never rejects: what is thrown is the result's `error`.
 */
export async function runRoute(
  { route, params }: RouteMatch,
  request: Request,
  context: RouterContextProvider,
  keepsData: (actionData: unknown) => boolean,
): Promise<Response | PageResult> {
  const own = route.modules.at(-1) ?? {};
  const given = { request, url: new URL(request.url), pattern: route.path, params, context };
  const passed = new Headers();
  try {
    for (const { middleware = [] } of route.modules) {
      for (const one of middleware) {
        const answer = await one(given, passedOn);
        if (answer instanceof Response) copyHeaders(answer.headers, passed);
      }
    }
    const answered = isRead(request.method) ? read(own, given) : change(own, given, keepsData);
    return withHeaders(await answered, passed);
  } catch (thrown) {
    return failure(thrown);
  }
}

/** Our middleware passes on or throws; to what it passes on it may add headers, cookies among them. */
const passedOn = async () => new Response(null, { status: 204 });

function withHeaders(result: Response | PageResult, passed: Headers): Response | PageResult {
  if ([...passed].length === 0) return result;
  const headers = new Headers(result.headers);
  copyHeaders(passed, headers);
  return result instanceof Response
    ? new Response(result.body, { status: result.status, headers })
    : { ...result, headers };
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

type Module = Partial<RouteModule>;

async function read(own: Module, given: LoaderFunctionArgs): Promise<Response | PageResult> {
  if (!own.loader && !own.default) throw new PageError(405);
  const loaded = await load(own, given);
  return loaded instanceof Response ? loaded : pageOf(own, { loaded });
}

async function change(
  own: Module,
  given: LoaderFunctionArgs,
  keepsData: (actionData: unknown) => boolean,
): Promise<Response | PageResult> {
  const { url, method, headers, signal } = given.request;
  if (!own.action || !CHANGES.includes(method)) throw new PageError(405);
  const answered = taken(await own.action(given));
  if (answered instanceof Response) return answered;
  if (keepsData(answered.data)) return pageOf(own, { answered });
  // After an action the loader gets a GET request without a body.
  const heads = new Headers(headers);
  for (const name of ['content-type', 'content-length']) heads.delete(name);
  const loaded = await load(own, {
    ...given,
    request: new Request(url, { headers: heads, signal }),
  });
  return loaded instanceof Response ? loaded : pageOf(own, { answered, loaded });
}

const load = async (own: Module, given: LoaderFunctionArgs) =>
  taken(own.loader ? await own.loader(given) : null);

/** The data of a loader or an action, with the status and headers that it sets. */
type Taken = { data: unknown; init: ResponseInit | null };

function taken(value: unknown): Response | Taken {
  if (value instanceof Response) return value;
  return isWithInit(value) ? value : { data: value, init: null };
}

const isWithInit = (value: unknown): value is WithInit<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'DataWithResponseInit';

function pageOf(
  own: Module,
  { answered, loaded }: { answered?: Taken; loaded?: Taken },
): PageResult {
  const headers = new Headers();
  // Headers of the action replace those of the loader, and headers of the route replace both.
  for (const from of [loaded?.init?.headers, answered?.init?.headers, readHeaders(own)]) {
    copyHeaders(new Headers(from), headers);
  }
  return {
    status: answered?.init?.status ?? loaded?.init?.status ?? 200,
    headers,
    ...(loaded && { loaderData: loaded.data }),
    ...(answered && { actionData: answered.data }),
  };
}

function readHeaders({ headers }: Module): HeadersInit | undefined {
  if (typeof headers !== 'function') return headers;
  const none = new Headers();
  return headers({
    loaderHeaders: none,
    actionHeaders: none,
    parentHeaders: none,
    errorHeaders: undefined,
  });
}

/** A redirect, or an error page with its status. */
function failure(thrown: unknown): Response | PageResult {
  if (thrown instanceof Response) return thrown;
  if (thrown instanceof PageError) {
    return { status: thrown.status, headers: thrown.headers, error: thrown };
  }
  if (isWithInit(thrown)) {
    const { status = 500, headers } = thrown.init ?? {};
    return failure(new PageError(status, new Headers(headers)));
  }
  if (isRouteErrorResponse(thrown)) return failure(new PageError(thrown.status));
  return { status: 500, headers: new Headers(), error: thrown };
}
