import { redirect, data } from 'react-router';
import { isUuid } from '~/base/uuid.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { caseById } from '~/features/desk/privacy-cases/case-store.server.ts';
import {
  closeCase,
  eraseForCase,
  extendCase,
  recordIdentity,
} from '~/features/desk/privacy/cases.server.ts';
import { CloseSection, ExtendSection } from '~/features/desk/privacy/close-section.tsx';
import { ErasureSection } from '~/features/desk/privacy/erasure-section.tsx';
import { CorrectionSection, ExportSection } from '~/features/desk/privacy/export-section.tsx';
import { IdentitySection } from '~/features/desk/privacy/identity-section.tsx';
import { PrivacyFrame } from '~/features/desk/privacy/privacy-frame.tsx';
import { RequestFacts } from '~/features/desk/privacy/request-facts.tsx';
import {
  choicesNow,
  chosenFrom,
  requestView,
} from '~/features/desk/privacy/requests-view.server.ts';
import { typedTexts } from '~/features/desk/privacy/typed-texts.ts';
import { doneFrom } from '~/features/desk/privacy/done.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/privacy-request.ts';

export const headers = () => PRIVATE_PAGE;
export const shouldRevalidate = () => true;

/** One request about personal data: who asks, what is theirs, what is done, and the answer. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'administer');
  const platform = context.get(platformContext);
  const found = isUuid(params.id) ? await caseById(platform.db, platform.sealer, params.id) : null;
  if (!found) throw data(null, { status: 404 });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'request_viewed',
    subject: { kind: 'request', id: found.id },
  });
  const view = await requestView(platform, found, context.get(languageContext));
  return { staff, outbox: hasOutbox(platform), done: doneFrom(request), view };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context }, 'administer');
  const platform = context.get(platformContext);
  const { id } = params;
  const form = await readForm({ request, context });
  const typed = typedTexts(form);
  const text = (name: string) => typed[name] ?? '';
  const identify = async () => {
    const found = isUuid(id) ? await caseById(platform.db, platform.sealer, id) : null;
    // Only what the page offered: a form cannot name other people's data.
    const offered = found
      ? (await choicesNow(platform, found, context.get(languageContext))).map(({ value }) => value)
      : [];
    const values = form.getAll('own').filter((one) => typeof one === 'string');
    const own = chosenFrom(values.filter((one) => offered.includes(one)));
    return recordIdentity(platform, staff, id, { check: text('check'), own });
  };
  const run = () => {
    switch (text('intent')) {
      case 'identity':
        return identify();
      case 'extend':
        return extendCase(platform, staff, id, text('why'));
      case 'erase':
        return eraseForCase(platform, staff, id, {
          isConfirmed: text('confirm') === 'yes',
          areTripsConfirmed: text('confirmTrip') === 'yes',
        });
      case 'close':
        return closeCase(platform, staff, id, { outcome: text('outcome'), answer: text('answer') });
      default:
        return null;
    }
  };
  const outcome = await run();
  if (outcome?.ok) return redirect(`/admin/privacy/${id}?done=${text('intent')}`);
  return data(
    { errors: [outcome?.error ?? ('not_found' as const)], typed },
    { status: 422, headers: PRIVATE_PAGE },
  );
}

export default function PrivacyRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('privacy');
  const { staff, outbox, done, view } = loaderData;
  const isOpen = view.closed === null;
  const { kind } = view.row;
  return (
    <PrivacyFrame
      answer={actionData}
      done={done}
      outbox={outbox}
      staff={staff}
      title={t(`kind.${kind}`)}
    >
      <RequestFacts view={view} />
      <IdentitySection answer={actionData} view={view} />
      {view.identity && isOpen && !view.erased ? <ExportSection id={view.row.id} /> : null}
      {kind === 'correction' && view.identity && isOpen ? <CorrectionSection /> : null}
      {kind === 'erasure' && view.identity ? (
        <ErasureSection answer={actionData} view={view} />
      ) : null}
      <ExtendSection answer={actionData} view={view} />
      <CloseSection answer={actionData} view={view} />
    </PrivacyFrame>
  );
}

export const ErrorBoundary = DeskFailure;
