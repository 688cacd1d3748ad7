import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { data, redirect, useRouteLoaderData } from 'react-router';
import { ApplicationPanel } from '~/features/desk/application-panel.tsx';
import { claim } from '~/features/desk/claim.server.ts';
import { describe, findApplication } from '~/features/desk/detail.server.ts';
import { useErrorText } from '~/features/desk/error-text.tsx';
import { act, type DeskError } from '~/features/desk/forms.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { useToast } from '~/ui/toast.tsx';
import type { Route } from './+types/application.ts';

const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

export const headers = () => PRIVATE;

const doneWords = [
  'processing',
  'approved',
  'rejected',
  'attached',
  'taken',
  'asked',
  'withdrawn',
] as const;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const found = await findApplication(platform.db, params.number);
  if (!found) throw data(null, { status: 404 });
  const now = platform.now();
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'application_viewed',
    subject: { kind: 'application', id: found.id },
  });
  const query = new URL(request.url).searchParams;
  const holder = found.decidedAt ? null : await claim(platform, staff, found.id);
  return {
    holder,
    application: await describe(platform, found, {
      language: context.get(languageContext),
      reveal: false,
    }),
    role: staff.role,
    asked: query.has('reject') ? ('reject' as const) : null,
    done: doneWords.find((word) => word === query.get('done')) ?? null,
    now: now.getTime(),
  };
}

type Answer = { error: DeskError | null; reason: string; numbers: Numbers | null };
type Numbers = { passport: string; supportingDocument: string | null };

export async function action({ request, context, params }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const found = await findApplication(platform.db, params.number);
  if (!found) throw data(null, { status: 404 });
  const result = await act(platform, staff, found, await request.formData());
  if (result.kind === 'done') {
    const query = new URL(request.url).searchParams;
    query.delete('reject');
    query.set('done', result.word);
    return redirect(`/admin/applications/${found.number}?${query}#application`);
  }
  if (result.kind === 'numbers') {
    return data<Answer>({ error: null, reason: '', numbers: result.numbers }, { headers: PRIVATE });
  }
  const { error, reason } = result;
  return data<Answer>(
    { error, reason, numbers: null },
    { status: result.status, headers: PRIVATE },
  );
}

export default function ApplicationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('desk');
  const { toast } = useToast();
  const error = actionData?.error ?? null;
  const text = useErrorText(error);
  useEffect(() => {
    if (error && text) toast({ title: t('error.title'), description: text, tone: 'error' });
  }, [error, text, t, toast]);
  const { application, role, asked, done, holder, now } = loaderData;
  return (
    <ApplicationPanel
      application={application}
      asked={asked}
      done={error ? null : done}
      errorText={text}
      holder={holder}
      errorCode={error?.code ?? null}
      madeAt={now}
      numbers={actionData?.numbers ?? null}
      reason={actionData?.reason ?? ''}
      role={role}
    />
  );
}

/** An unknown number leaves the queue where it is. */
export function ErrorBoundary() {
  const { t } = useTranslation('desk');
  useRouteLoaderData('root');
  return (
    <div className="desk-panel-empty" id="application">
      <p>{t('detail.missing')}</p>
    </div>
  );
}
