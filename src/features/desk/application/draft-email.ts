import { draftAt } from './draft.server.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import { platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import type { Route } from './+types/draft-email.ts';

/** Allows our pictures and inline styles; no scripts, no links out of the frame, no origin. */
const POLICY = [
  'sandbox',
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The email that a draft would send, for its author. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const at = await draftAt({ request, context }, params);
  if (!at) return new Response(null, { status: 404 });
  const { html } = await previewDecision(context.get(platformContext), at.application, at.draft);
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      ...PRIVATE_PAGE,
    },
  });
}
