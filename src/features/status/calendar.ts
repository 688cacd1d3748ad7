import { redirect } from 'react-router';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { calendarEntry } from './calendar-entry.server.ts';
import { lookUpApplication } from './lookup.server.ts';
import { hasSeveralTravellers } from '~/features/application/travellers.ts';
import type { Route } from './+types/calendar.ts';

/**
 * `/status/calendar?ref=`: the promised moment of an application as a calendar entry. A look-up like any other, limited
 * like any other; what cannot be answered with a file is explained by the status page.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const typed = new URL(request.url).searchParams.get('ref') ?? '';
  const found = await lookUpApplication(platform, typed, { address: context.get(addressContext) });
  // Several travellers have a moment each.
  const isOfSeveral = found.ok && hasSeveralTravellers(found.value.everyone ?? []);
  const entry =
    found.ok && !isOfSeveral
      ? calendarEntry(found.value.view, {
          language: context.get(languageContext),
          publicUrl: platform.config.publicUrl,
          now: platform.now(),
        })
      : null;
  const headers = { 'Cache-Control': 'no-store' };
  if (!found.ok || entry === null) {
    return redirect(`/status?ref=${encodeURIComponent(typed.slice(0, 40))}`, { headers });
  }
  return new Response(entry, {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="${found.value.view.number}.ics"`,
    },
  });
}
