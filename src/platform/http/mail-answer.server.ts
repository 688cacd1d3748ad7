import { PRIVATE_PAGE } from './request.server.ts';

/** Only our own pictures, inline styles as e-mails need them; nothing runs, nothing is sent, no origin of its own. */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** An e-mail as it looks, for staff. Not a page: those have a policy under which e-mails have no styles. */
export const mailAnswer = (html: string): Response =>
  new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': POLICY,
      ...PRIVATE_PAGE,
    },
  });
