import { hasOutbox, readOutbox } from '~/features/desk/outbox.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import type { Route } from './+types/outbox-message.ts';

/** Only our own pictures, inline styles as e-mails need them, nothing that runs; shown in a frame of the desk alone. */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export async function loader({ request, context, params }: Route.LoaderArgs) {
  await requireStaff({ request, context }, 'view_outbox');
  const platform = context.get(platformContext);
  const message = hasOutbox(platform) ? await readOutbox(platform, params.name) : null;
  if (!message) return new Response(null, { status: 404 });
  return new Response(message.html.replace('<head>', '<head><base target="_blank">'), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    },
  });
}
