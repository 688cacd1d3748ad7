import { CSP_REPORT_GROUP, CSP_REPORT_PATH } from '~/platform/http/report-path.ts';

/** What a route's `handle` may say: what its page needs beyond HTML, so that it is allowed that and no more. */
export type RouteHandle = {
  /** The page works without framework JavaScript and ships none. */
  scriptFree?: boolean;
  /** Its form goes to the card gateway. Always opened as a whole document, because a policy belongs to one. */
  postsToGateway?: boolean;
  /** It shows documents of ours in frames. Always opened as a whole document. */
  framesOwn?: boolean;
  /** It loads PayPal's own script, which opens frames and windows. Always opened as a whole document. */
  paypalScript?: boolean;
  /** It shows the camera. Always opened as a whole document. */
  usesCamera?: boolean;
  /** The page itself says when a request did not get through: its action's answer is then `{ offline: true }`. */
  tellsOffline?: boolean;
  /** All texts that it shows are in the first part: see `text-parts.ts`. */
  startTexts?: boolean;
  /** It has a look of its own, without the site's header and footer. */
  ownLook?: boolean;
};

/** The handles of all routes of a page, combined. */
export function combineHandles(handles: readonly unknown[]): Required<RouteHandle> {
  const says = (need: keyof RouteHandle) =>
    handles.some(
      (handle) =>
        typeof handle === 'object' && handle !== null && Reflect.get(handle, need) === true,
    );
  return {
    scriptFree: says('scriptFree'),
    postsToGateway: says('postsToGateway'),
    framesOwn: says('framesOwn'),
    paypalScript: says('paypalScript'),
    usesCamera: says('usesCamera'),
    tellsOffline: says('tellsOffline'),
    startTexts: says('startTexts'),
    ownLook: says('ownLook'),
  };
}

/**
 * Whether a page whose action has answered this stays as it is; a route says so by a function `keepsData` in its `handle`.
 */
export function readKeepsData(handle: unknown): (actionData: unknown) => boolean {
  const keeps: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'keepsData') : undefined;
  return (actionData) =>
    typeof keeps === 'function' && typeof actionData === 'object' && keeps(actionData) === true;
}

/** PayPal's own list: https://developer.paypal.com/sdk/js/content-security-policy/ */
const PAYPAL = 'https://*.paypal.com';
const PAYPAL_ASSETS = 'https://*.paypalobjects.com';

/**
 * A page's content security policy: nothing from other hosts, and no form to another site. More is allowed only to the
 * page that sends the browser to the card gateway (browsers check a form's redirects as well), to the one that shows an
 * e-mail before it is sent, and to those that run PayPal's script, which writes styles. `inline` names the one script
 * that stands in the document itself, by its nonce or its hash. `inlineStyles` are those of development, where Vite
 * writes a page's styles into it.
 */
export function contentPolicy(
  { scriptFree, postsToGateway, framesOwn, paypalScript }: RouteHandle,
  {
    inline,
    gatewayOrigins,
    inlineStyles = false,
  }: { inline: string; gatewayOrigins: readonly string[]; inlineStyles?: boolean },
): string {
  const paypal = (...hosts: string[]) => (paypalScript ? hosts : []);
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(scriptFree ? [] : [inline]), ...paypal(PAYPAL, PAYPAL_ASSETS)],
    'style-src': ["'self'", ...(inlineStyles || paypalScript ? ["'unsafe-inline'"] : [])],
    'img-src': ["'self'", 'data:', ...paypal(PAYPAL, PAYPAL_ASSETS)],
    'font-src': ["'self'", ...paypal(PAYPAL_ASSETS)],
    'connect-src': ["'self'", ...paypal(PAYPAL, PAYPAL_ASSETS)],
    'frame-src': paypalScript ? [PAYPAL] : framesOwn ? ["'self'"] : ["'none'"],
    'manifest-src': ["'self'"],
    'form-action': ["'self'", ...(postsToGateway ? gatewayOrigins : [])],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    // The first for browsers that do not know the second.
    'report-uri': [CSP_REPORT_PATH],
    'report-to': [CSP_REPORT_GROUP],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
