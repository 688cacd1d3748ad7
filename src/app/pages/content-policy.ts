import { CSP_REPORT_GROUP, CSP_REPORT_PATH } from '~/platform/http/report-path.ts';
import type { RouteHandle } from './route-handle.ts';

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
