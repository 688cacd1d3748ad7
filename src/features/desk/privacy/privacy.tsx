import { redirect, data, Form } from 'react-router';
import { typedDate, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { languages } from '~/base/languages.ts';
import { EntriesTable } from '../frame/lists.tsx';
import { caseKinds } from './privacy-case.ts';
import { openCase } from './cases.server.ts';
import { PrivacyFrame, useFields, DaysLeft, typedTexts } from './privacy-frame.tsx';
import { requestRows, type RequestRow } from './requests-view.server.ts';
import { KVKK_REPLY_DAYS } from '~/features/site/retention.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/privacy.ts';

/** Requests about personal data: those that are open, with the days left, and those that were closed last. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, language, record } = await requireDesk({ request, context }, 'administer');
  const rows = await requestRows(platform, language);
  await record('requests_listed', ['request', 'list'], { open: rows.open.length });
  return { today: toPlainDate(platform.now(), UTC), ...rows };
}

/** Records a request. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const typed = typedTexts(await readForm({ request, context }));
  const text = (name: string) => typed[name] ?? '';
  const opened = await openCase(platform, staff, {
    kind: text('kind'),
    arrivedOn: typedDate(typed, 'arrivedOn'),
    language: text('language'),
    given: { number: text('number'), email: text('email'), passport: text('passport') },
  });
  if (opened.ok) return redirect(`/admin/privacy/${opened.value}?done=opened`);
  return data({ errors: opened.error, typed }, { status: 422 });
}

export default function Privacy({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('privacy');
  const { open, closed, restored, today } = loaderData;
  const { field, date } = useFields(actionData);
  return (
    <PrivacyFrame
      answer={actionData}
      done={null}
      lead={t('lead', { days: KVKK_REPLY_DAYS })}
      title={t('title')}
      up={false}
    >
      <p className="flex flex-wrap gap-x-6">
        <Link className="inline-flex min-h-11 items-center" to="/admin/privacy/holds">
          {t('holds.title')}
        </Link>
        <Link className="inline-flex min-h-11 items-center" to="/admin/privacy/retention">
          {t('retention.title')}
        </Link>
      </p>
      {restored === null ? null : (
        <Notice tone="amber">{t('restored', { moment: restored })}</Notice>
      )}
      <h2>{t('list.open')}</h2>
      {open.length === 0 ? (
        <p>{t('list.none')}</p>
      ) : (
        <Requests caption={t('list.open')} rows={open} />
      )}
      <section>
        <h2>{t('record.title')}</h2>
        <Form method="post">
          <RadioList
            {...field('kind')}
            label={t('field.kind')}
            options={caseKinds.map((one) => ({ value: one, label: t(`kind.${one}`) }))}
          />
          <DateField
            {...date('arrivedOn')}
            calendar={{ max: today, today }}
            label={t('field.arrivedOn')}
          />
          <SelectField
            {...field('language', 'en')}
            label={t('field.language')}
            options={languages.map(({ code, name }) => ({ value: code, label: name }))}
          />
          <p className="text-ink-2">{t('field.given')}</p>
          <TextField {...field('number')} autoComplete="off" label={t('field.number')} latin mono />
          <TextField {...field('email')} autoComplete="off" label={t('field.email')} latin />
          <TextField
            {...field('passport')}
            autoComplete="off"
            label={t('field.passport')}
            latin
            mono
          />
          <Button>{t('record.submit')}</Button>
        </Form>
      </section>
      {closed.length > 0 ? (
        <>
          <h2>{t('list.closed')}</h2>
          <Requests caption={t('list.closed')} rows={closed} />
        </>
      ) : null}
    </PrivacyFrame>
  );
}

function Requests({ rows, caption }: { rows: readonly RequestRow[]; caption: string }) {
  const { t } = useTranslation('privacy');
  return (
    <EntriesTable
      caption={caption}
      columns={[
        {
          head: t('list.request'),
          className: 'max-wide:col-span-full',
          isRowName: true,
          render: ({ id, kind }) => (
            <Link className="inline-flex min-h-11 items-center" to={`/admin/privacy/${id}`}>
              {t(`kind.${kind}`)}
              <span className="sr-only"> {id.slice(0, 8)}</span>
            </Link>
          ),
        },
        { head: t('list.arrived'), isLabelled: true, render: ({ arrived }) => arrived },
        { head: t('list.due'), isLabelled: true, render: ({ due }) => due },
        {
          head: t('list.state'),
          isLabelled: true,
          render: ({ stage, ...row }) => (
            <span className="flex flex-wrap items-center gap-2">
              {t(`stage.${stage}`)} <DaysLeft {...row} />
            </span>
          ),
        },
      ]}
      entries={rows}
      rowOf={({ id }) => ({ key: id })}
    />
  );
}
