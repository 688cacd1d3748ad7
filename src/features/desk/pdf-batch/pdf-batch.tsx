import { data, type RouterContextProvider } from 'react-router';
import { isUuid } from '~/base/uuid.ts';
import { undoCookie } from '~/features/desk/decision/undo-cookie.server.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { approveTicked, chooseTyped } from '~/features/desk/pdf-batch/approve-batch.server.ts';
import { batchOf } from '~/features/desk/pdf-batch/batch-store.server.ts';
import { describeBatch } from '~/features/desk/pdf-batch/batch-view.server.ts';
import { BatchForm } from '~/features/desk/pdf-batch/batch-form.tsx';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/pdf-batch.ts';

export const headers = () => PRIVATE_PAGE;

type PageRequest = { request: Request; context: Readonly<RouterContextProvider> };

/** The batch at an address, for the person who made it. */
async function batchAt({ request, context }: PageRequest, { id }: { id: string }) {
  const staff = await requireStaff({ request, context }, 'approve');
  const { db } = context.get(platformContext);
  const batch = isUuid(id) ? await batchOf(db, { id, staffId: staff.id }) : null;
  if (!batch) throw data(null, { status: 404 });
  return { staff, batch };
}

/** The files of a batch beside the applications that they may be for. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, batch } = await batchAt({ request, context }, params);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const { view, applicationIds, revealedIds } = await describeBatch(
    platform,
    staff,
    batch,
    language,
  );
  await auditViews(platform.db, staff, applicationIds, platform.now());
  await auditReveals(platform.db, staff, revealedIds, platform.now());
  return { staff, outbox: hasOutbox(platform) && may(staff.role, 'view_outbox'), view };
}

/** Stores typed numbers; with `approve` approves what is ticked. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, batch } = await batchAt({ request, context }, params);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const form = await readForm({ request, context });
  if (formText(form, 'intent') !== 'approve_files') {
    const { outcomes } = await chooseTyped(platform, batch, form);
    return data({ outcomes, isNone: false }, { headers: PRIVATE_PAGE });
  }
  const outcomes = await approveTicked(platform, staff, { batch, form, language });
  const decided = outcomes.some(({ kind }) => kind === 'approved')
    ? undoCookie(platform, staff)
    : {};
  return data(
    { outcomes, isNone: outcomes.length === 0 },
    { headers: { ...PRIVATE_PAGE, ...decided } },
  );
}

export default function PdfBatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('pdf-batch');
  const { staff, outbox, view } = loaderData;
  return (
    <DeskPage outbox={outbox} staff={staff}>
      <title>{`${t('check')} – Lale`}</title>
      <BatchForm answer={actionData ?? null} view={view} />
    </DeskPage>
  );
}

export const ErrorBoundary = DeskFailure;
