import type { MiddlewareHandler } from 'hono';
import { createContext, data, redirect, type RouterContextProvider } from 'react-router';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { audit, type AuditDetail } from './audit.server.ts';
import type { AuditAction, AuditSubject } from './audit-words.ts';
import { may, type StaffAction } from './roles.ts';
import {
  sessionEndMoment,
  requestSession,
  requestStaff,
  toStaff,
  requestWatcher,
  type SessionEnd,
} from './session.server.ts';
import type { Staff } from './staff.ts';

/** Whether somebody must set up their second factor first: everybody in live mode, as each role reads passports. */
export const mustSetUpSecondFactor = ({ config }: Pick<Platform, 'config'>, staff: Staff) =>
  config.mode === 'live' && !staff.hasSecondFactor && !staff.provedFactor;

const SECOND_FACTOR_PAGE = '/admin/second-factor';

const NAME_PAGE = '/admin/name';

/**
 * The page to which somebody must go before any other of the desk: live mode asks everybody for a second factor, and
 * the first administrator for their name. Null where nothing is missing.
 */
export function pageBeforeDesk(platform: Pick<Platform, 'config'>, staff: Staff): string | null {
  if (mustSetUpSecondFactor(platform, staff)) return SECOND_FACTOR_PAGE;
  return platform.config.mode === 'live' && !staff.isNamed ? NAME_PAGE : null;
}

/**
 * What a page of the desk needs of a request: the signed-in person, the platform and the language. `record` adds what they
 * do or see now to the audit trail: its subject is a kind and an id. What is done in a transaction is recorded in it, by `audit`.
 * @throws A redirect to the sign-in page, which leads back here; one to `pageBeforeDesk`; and a 403 for a role that may
 * not.
 */
export async function requireDesk(
  args: { request: Request; context: Readonly<RouterContextProvider> },
  right: StaffAction = 'view_applications',
) {
  const staff = await requireSignedIn(args);
  const platform = args.context.get(platformContext);
  const first = pageBeforeDesk(platform, staff);
  if (first !== null) throw redirect(first);
  if (!may(staff.role, right)) throw data(null, { status: 403 });
  return {
    staff,
    platform,
    language: args.context.get(languageContext),
    record: (action: AuditAction, [kind, id]: [AuditSubject, string], detail?: AuditDetail) => {
      const entry = {
        at: platform.now(),
        staffId: staff.id,
        action,
        subject: { kind, id },
        detail,
      };
      return audit(platform.db, entry);
    },
  };
}

/** The signed-in person, for automatic requests, which do not extend the session. */
export async function requireWatchingStaff({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<Staff & { sessionEnd: SessionEnd }> {
  const platform = context.get(platformContext);
  const staff = await requestWatcher(platform, request);
  if (!staff) throw redirect('/admin');
  if (mustSetUpSecondFactor(platform, staff)) throw redirect(SECOND_FACTOR_PAGE);
  if (!may(staff.role, 'view_applications')) throw data(null, { status: 403 });
  return staff;
}

/** Whether somebody still may watch the desk: their session, second factor and role, as they are now. */
export async function mayWatch(platform: Platform, request: Request): Promise<boolean> {
  const staff = await requestWatcher(platform, request);
  return (
    staff !== null &&
    !mustSetUpSecondFactor(platform, staff) &&
    may(staff.role, 'view_applications')
  );
}

/**
 * The signed-in person, for pages that set up their own account.
 * @throws A redirect to the sign-in page.
 */
export async function requireSignedIn({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<Staff> {
  const staff = await optionalStaff({ request, context });
  if (!staff) {
    const { pathname } = new URL(request.url);
    const page = pathname.replace(/\.data$/, '').replace(/^\/(?!admin)[a-z]{2}(?=\/)/, '');
    throw redirect(page === '/admin' ? page : `/admin?next=${encodeURIComponent(page)}`);
  }
  return staff;
}

type Loading = { request: Request; context: Readonly<RouterContextProvider> };

/** The signed-in person; null without a session. */
export async function optionalStaff({ request, context }: Loading): Promise<Staff | null> {
  const found = await optionalSession({ request, context });
  return (
    context.get(renewed) ??
    (found && !found.session.half ? toStaff(found.account, found.session) : null)
  );
}

/** When the session of a page that is being loaded ends; null without one. */
export async function readSessionEnd({ request, context }: Loading): Promise<SessionEnd | null> {
  const found = await optionalSession({ request, context });
  return found && !found.session.half
    ? sessionEndMoment(found.session, context.get(platformContext).now())
    : null;
}

type SessionLookup = ReturnType<typeof requestSession>;

/** Shared by one request's loaders, which run at once and all ask. */
const asked = createContext<SessionLookup | null>(null);

/**
 * The valid session of this browser, one without its second factor included. A page and its frame read it once; a
 * submitted form reads it itself, because its action may end or renew it before the page is loaded.
 */
export function optionalSession({ request, context }: Loading): SessionLookup {
  const platform = context.get(platformContext);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return requestSession(platform, request);
  const known = context.get(asked);
  if (known) return known;
  const session = requestSession(platform, request);
  context.set(asked, session);
  return session;
}

/** The owner of a session that was renewed in this request, so that the browser has not sent its cookie yet. */
const renewed = createContext<Staff | null>(null);

export function renewStaff(context: Readonly<RouterContextProvider>, staff: Staff): void {
  context.set(renewed, staff);
}

export type StaffEnv = { Variables: { staff: Staff } };

/**
 * For calls: 401 without a session; otherwise the handler finds the person in `c.var.staff`. `isWatching`: the call is an
 * automatic one, which does not extend the session.
 */
export function requireStaffApi(
  platform: Platform,
  { isWatching = false } = {},
): MiddlewareHandler<StaffEnv> {
  return async (c, next) => {
    const staff = await (isWatching ? requestWatcher : requestStaff)(platform, c.req.raw);
    if (!staff) {
      return problem({
        code: 'signed_out',
        headers: { 'WWW-Authenticate': 'Cookie realm="staff", form="/admin"' },
      });
    }
    if (mustSetUpSecondFactor(platform, staff)) {
      return problem({ code: 'second_factor_required' });
    }
    c.set('staff', staff);
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  };
}

/** For documents that a browser opens outside the pages, leading back to `page`. */
export function requireStaffPage(platform: Platform, page: string): MiddlewareHandler<StaffEnv> {
  return async (c, next) => {
    const staff = await requestStaff(platform, c.req.raw);
    if (!staff) {
      return c.redirect(page === '/admin' ? page : `/admin?next=${encodeURIComponent(page)}`);
    }
    if (mustSetUpSecondFactor(platform, staff)) return c.redirect(SECOND_FACTOR_PAGE);
    c.set('staff', staff);
    await next();
    return undefined;
  };
}

/** For calls: 403 where the role does not allow the action. */
export function requireAllowedCall(action: StaffAction): MiddlewareHandler<StaffEnv> {
  return async (c, next) => {
    if (!may(c.var.staff.role, action)) {
      return problem({ code: 'forbidden' });
    }
    await next();
    return undefined;
  };
}
