import { data, redirect } from 'react-router';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { DecisionPreview } from '~/features/desk/decision/decision-preview.tsx';
import { draftAt } from '~/features/desk/decision/draft-at.server.ts';
import { askBeforeRejecting } from '~/features/desk/decision/decide.server.ts';
import { useErrorText } from '~/features/desk/decision/error-text.tsx';
import { listQuery } from '~/features/desk/frame/list-address.tsx';
import { nextAddress } from '~/features/desk/list/open-queue.server.ts';
import { undoCookie } from '~/features/desk/decision/undo-cookie.server.ts';
import { sendDraft } from '~/features/desk/decision/send-draft.server.ts';
import { showComparison } from '~/features/desk/visa-document/comparison-view.server.ts';
import { duplicatesOf } from '~/features/desk/duplicates/duplicates.server.ts';
import { isSamePerson } from '~/features/desk/duplicates/duplicates.ts';
import { statusOf } from '~/features/desk/decision/desk-error.ts';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { emailPreviewContext } from '~/features/desk/decision/email-preview.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { may } from '~/features/staff/roles.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import type { Route } from './+types/decision.ts';

export const headers = () => PRIVATE_PAGE;

/** See `RouteHandle`. */
export const handle = { framesOwn: true };

const done = { approve: 'approved', reject: 'rejected', attach: 'attached' } as const;

/** The preview of a decision: what the traveller will get. For its author alone. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const at = await draftAt({ request, context }, params);
  if (!at) throw data(null, { status: 404 });
  const { staff, application, draft } = at;
  const platform = context.get(platformContext);
  const preview = context.get(emailPreviewContext);
  const { to, language, subject } = await preview(platform, application, draft);
  const { number, firstName, lastName, kind } = application;
  return {
    staff,
    outbox: hasOutbox(platform) && may(staff.role, 'view_outbox'),
    application: { number, firstName, lastName, kind },
    draft: {
      id: draft.id,
      kind: draft.kind,
      hasFile: draft.fileId !== null,
      seenAt: draft.createdAt.getTime(),
    },
    email: { to, language, subject },
    comparison: draft.fileId
      ? await showComparison(platform, staff, application, draft.fileId)
      : null,
    duplicates:
      draft.kind === 'approve'
        ? (await duplicatesOf(platform, application.id))
            .filter(({ dismissal }) => dismissal === null)
            .toSorted(
              (one, other) =>
                Number(isSamePerson(other.reasons)) - Number(isSamePerson(one.reasons)),
            )
            .map(({ trip: { number, name, status }, reasons }) => ({
              number,
              name,
              status,
              reasons,
            }))
        : [],
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const at = await draftAt({ request, context }, params);
  if (!at) throw data(null, { status: 404 });
  const { staff, application, draft } = at;
  const form = await readForm({ request, context });
  const platform = context.get(platformContext);
  if (draft.kind === 'reject') {
    await askBeforeRejecting(platform, context.get(paymentsContext), application);
  }
  const outcome = await sendDraft(platform, staff, {
    draft,
    hasCompared: form.get('compared') === 'yes',
    hasCheckedDuplicates: form.get('duplicates') === 'yes',
  });
  if (!outcome.ok) {
    return data(
      { error: outcome.error },
      { status: statusOf(outcome.error), headers: PRIVATE_PAGE },
    );
  }
  const headers = undoCookie(platform, staff);
  if (form.get('after') === 'next') {
    // Not the open one: it is decided, or its document attached.
    const list = new URLSearchParams(listQuery(new URL(request.url).search));
    return redirect(await nextAddress(platform, staff, { list, not: null }), { headers });
  }
  const query = new URL(request.url).searchParams;
  query.delete('reject');
  query.set('done', done[draft.kind]);
  return redirect(`/admin/applications/${application.number}?${query}#application`, { headers });
}

export default function DecisionPage({ loaderData, actionData }: Route.ComponentProps) {
  const error = useErrorText(actionData?.error ?? null);
  return <DecisionPreview {...loaderData} error={error} />;
}

export const ErrorBoundary = DeskFailure;
