import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Button } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { Actions } from '../frame/desk-section.tsx';
import type { SettingsAnswer } from './handle-decision-submit.server.ts';
import { type ChangeRow, valuesOf, type TypedSettings } from './typed-settings.ts';

/** The values and problems of a settings form. */
export type SettingsForm = {
  /** The typed value, or `shown` before anything was typed. */
  value: (field: string, shown?: string) => string;
  errorAt: (field: string) => string | undefined;
};

/**
 * The form of a section, then a page that shows what it would change, under one address so that both work without
 * scripts. `children` renders the section's own controls.
 */
export function DecisionForm({
  version,
  answer,
  hidden = {},
  title,
  isAtOnce = false,
  children,
}: {
  /** The section's version on this page. */
  version: string;
  answer: SettingsAnswer | undefined;
  /** The values that the page showed, so that the server can tell what was changed. */
  hidden?: TypedSettings;
  /** By default "Make a change". */
  title?: string;
  /** The form does not ask when the decision takes effect. */
  isAtOnce?: boolean;
  children?: (form: SettingsForm) => ReactNode;
}) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  if (answer?.kind === 'confirm') return <Confirmation answer={answer} />;
  const typed = answer?.typed ?? {};
  const problems = answer?.kind === 'typed' ? answer.problems : [];
  const form: SettingsForm = {
    value: (field, shown = '') => typed[field] ?? shown,
    errorAt: (field) => {
      const found = problems.find((problem) => problem.field === field);
      return found && t(`error.${found.code}`, valuesOf(found, language));
    },
  };
  return (
    <section>
      <h2 id="form">{title ?? t('form.title')}</h2>
      <Form method="post" noValidate>
        {Object.entries({ ...hidden, version }).map(([name, value]) => (
          <input key={name} name={name} readOnly type="hidden" value={value} />
        ))}
        {children?.(form)}
        {isAtOnce ? null : <When form={form} />}
        <Reason form={form} />
        <Button name="intent" small value="review">
          {t('form.review')}
        </Button>
      </Form>
    </section>
  );
}

/** Controls side by side where there is room. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <div className="col-span-full grid w-full grid-cols-[repeat(auto-fit,minmax(220px,1fr))] items-end gap-x-5 gap-y-3.5">
    {children}
  </div>
);

/** Controls below a heading of their own. */
export const Group = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <fieldset className="grid w-full min-w-0 gap-3">
    <legend className="pt-2 pb-2.5 text-base font-semibold text-ink">{title}</legend>
    {children}
  </fieldset>
);

function When({ form: { value, errorAt } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <>
      <RadioList
        defaultValue={value('from', 'now')}
        error={errorAt('from')}
        label={t('form.from')}
        name="from"
        options={[
          { value: 'now', label: t('form.now') },
          { value: 'later', label: t('form.later') },
        ]}
      />
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3.5">
        <DateField
          defaultValue={{
            day: value('date-day'),
            month: value('date-month'),
            year: value('date-year'),
          }}
          error={errorAt('date')}
          hint={t('form.dateHint')}
          label={t('form.date')}
          name="date"
        />
        <TextField
          defaultValue={value('time', '00:00')}
          inputMode="numeric"
          label={t('form.time')}
          latin
          maxLength={5}
          name="time"
          width="short"
        />
      </div>
    </>
  );
}

function Reason({ form: { value, errorAt } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <TextArea
      defaultValue={value('reason')}
      error={errorAt('reason')}
      hint={t('form.reasonHint')}
      label={t('form.reason')}
      name="reason"
    />
  );
}

/** What will change, before it is saved. The form's values are repeated in hidden controls. */
function Confirmation({ answer }: { answer: Extract<SettingsAnswer, { kind: 'confirm' }> }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const { typed, rows, notes, validFrom, isProposal } = answer;
  const moment =
    validFrom === null ? null : formatMoment(new Date(validFrom), language, UTC, 'long');
  return (
    <section>
      <h2 id="confirm">{t('confirm.title')}</h2>
      <p>
        {moment === null
          ? t(isProposal ? 'proposal.now' : 'confirm.now')
          : t(isProposal ? 'proposal.later' : 'confirm.later', { moment })}
      </p>
      <ChangeTable rows={rows} />
      {isProposal ? <Notice tone="blue">{t('proposal.preview')}</Notice> : null}
      {notes.map((note) => (
        <Notice key={note} tone="blue">
          {note}
        </Notice>
      ))}
      <p>{t('history.reason', { reason: typed.reason })}</p>
      <Form method="post">
        {Object.entries(typed).map(([name, value]) => (
          <input key={name} name={name} readOnly type="hidden" value={value} />
        ))}
        <Actions>
          <Button name="intent" small value="save">
            {t(isProposal ? 'proposal.save' : 'confirm.save')}
          </Button>
          <Button look="plain" name="intent" small value="edit">
            {t('confirm.edit')}
          </Button>
        </Actions>
      </Form>
    </section>
  );
}

/** Before and after, line by line. */
export function ChangeTable({ rows }: { rows: readonly ChangeRow[] }) {
  const { t } = useTranslation('settings');
  return (
    <table className="desk-table table-fixed wrap-anywhere">
      <thead>
        <tr>
          <th className="w-[44%]" scope="col">
            {t('confirm.what')}
          </th>
          <th scope="col">{t('confirm.before')}</th>
          <th scope="col">{t('confirm.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.label} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row: { label, before, after } }: { row: ChangeRow }) {
  const { t } = useTranslation('settings');
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{before ?? t('confirm.nothing')}</td>
      <td>
        <strong>{after ?? t('confirm.nothing')}</strong>
      </td>
    </tr>
  );
}
