import * as z from 'zod/mini';
import { readForm } from '~/platform/input/read-body.server.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { saveDraft } from '~/features/form/draft/draft.server.ts';
import { openVisaDraft, visaDrafts } from './store/draft.server.ts';
import { steps } from './rules/steps.ts';
import { readWriting } from './wizard/wizard.server.ts';
import type { Route } from './+types/autosave.ts';

const stepId = z.enum(steps.map(({ id }) => id));

/** Stores a page's answers while they are typed. The response is empty, as nothing uses it. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const step = z.safeParse(stepId, form.get('step'));
  const draft = await openVisaDraft(platform, request);
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  if (step.success && draft && !draft.applicationNumber) {
    const writing = readWriting(step.data, form, 'itself');
    const saved = await saveDraft(
      visaDrafts,
      platform,
      request,
      draft,
      writing,
      context.get(languageContext),
    );
    if (saved.kind === 'saved' && saved.setCookie) giveCookie(headers, saved.setCookie);
  }
  return new Response(null, { status: 204, headers });
}
