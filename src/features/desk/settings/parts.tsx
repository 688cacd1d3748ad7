import type { ReactNode } from 'react';
import { textDirection } from '~/base/languages.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import type { ChangeRow, Control, ControlGroup, PageLink, SectionPart } from './section.server.ts';

/** What a page says besides its form. */
export const Parts = ({ parts }: { parts: readonly SectionPart[] }) =>
  parts.map((part) => {
    const content = <PartContent {...part} />;
    const key = part.heading ?? JSON.stringify(part);
    if (part.heading === undefined) return <Block key={key}>{content}</Block>;
    return (
      <section key={key}>
        <h2>{part.heading}</h2>
        {content}
      </section>
    );
  });

const Block = ({ children }: { children: ReactNode }) => <>{children}</>;

function PartContent({ notice, texts = [], items = [], links = [], button }: SectionPart) {
  return (
    <>
      {notice ? (
        <Notice title={notice.title} tone={notice.tone}>
          {notice.text === undefined ? null : <p>{notice.text}</p>}
        </Notice>
      ) : null}
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {items.length === 0 ? null : (
        <ul className="grid gap-3 wrap-anywhere">
          {items.map(({ title, to, lines = [], link }) => (
            <li key={title ?? lines.join()}>
              {title === undefined ? null : to === undefined ? (
                <strong>{title}</strong>
              ) : (
                <TextLink link={{ to, label: title }} />
              )}
              {lines.map((line) => (
                <p
                  className={title === undefined ? undefined : 'text-sm/5.5 text-ink-2'}
                  key={line}
                >
                  {line}
                </p>
              ))}
              {link ? <TextLink link={link} /> : null}
            </li>
          ))}
        </ul>
      )}
      {links.length === 0 ? null : (
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {links.map((link) => (
            <li key={link.to}>
              <TextLink link={link} />
            </li>
          ))}
        </ul>
      )}
      {button ? (
        <ButtonLink look="secondary" small to={button.to}>
          {button.label}
        </ButtonLink>
      ) : null}
    </>
  );
}

export const TextLink = ({ link: { to, label, isCurrent = false } }: { link: PageLink }) => (
  <Link
    aria-current={isCurrent ? 'page' : undefined}
    className="inline-flex min-h-11 items-center current:font-semibold current:text-ink current:no-underline"
    to={to}
  >
    {label}
  </Link>
);

/** The typed value of a control, or `shown` before anything was typed, and what is wrong with it. */
export type FormValues = {
  value: (name: string, shown?: string) => string;
  errorAt: (name: string) => string | undefined;
};

/** The controls of a form. */
export const Controls = ({ groups, form }: { groups: readonly ControlGroup[]; form: FormValues }) =>
  groups.map(({ title, rows }) => {
    const content = rows.map((row) => (
      <ControlRow form={form} key={row[0]?.name ?? ''} row={row} />
    ));
    if (title === undefined) return <Block key="">{content}</Block>;
    return (
      <fieldset className="grid w-full min-w-0 gap-3" key={title}>
        <legend className="pt-2 pb-2.5 text-base font-semibold text-ink">{title}</legend>
        {content}
      </fieldset>
    );
  });

function ControlRow({ row, form }: { row: readonly Control[]; form: FormValues }) {
  const controls = row.map((one) => <OneControl control={one} form={form} key={one.name} />);
  if (controls.length < 2) return controls;
  return (
    <div className="col-span-full grid w-full grid-cols-[repeat(auto-fit,minmax(220px,1fr))] items-end gap-x-5 gap-y-3.5">
      {controls}
    </div>
  );
}

function OneControl({ control, form: { value, errorAt } }: { control: Control; form: FormValues }) {
  const { name, label, hint } = control;
  const field = { name, label, hint, error: errorAt(name) };
  switch (control.kind) {
    case 'text':
      return (
        <TextField
          {...field}
          autoComplete="off"
          defaultValue={value(name, control.value)}
          inputMode={control.inputMode}
          latin={control.latin}
          maxLength={control.maxLength}
          type={control.type}
          width={control.width}
        />
      );
    case 'area': {
      const { language, original } = control;
      return (
        <TextArea
          {...field}
          defaultValue={value(name, control.value)}
          dir={language && textDirection(language)}
          hint={
            hint !== undefined && original !== undefined ? (
              <>
                {hint} <bdi lang={language}>{original}</bdi>
              </>
            ) : (
              hint
            )
          }
          lang={language}
          maxLength={control.maxLength}
          rows={control.rows}
        />
      );
    }
    case 'date': {
      const [year = '', month = '', day = ''] = control.value.split('-');
      return (
        <DateField
          {...field}
          calendar={control.min === undefined ? undefined : { min: control.min }}
          defaultValue={{
            day: value(`${name}-day`, day),
            month: value(`${name}-month`, month),
            year: value(`${name}-year`, year),
          }}
        />
      );
    }
    case 'select':
      return (
        <SelectField
          {...field}
          defaultValue={value(name, control.value)}
          emptyLabel={control.emptyLabel}
          options={control.options}
          width={control.width}
        />
      );
    case 'radio':
      return (
        <RadioList {...field} defaultValue={value(name, control.value)} options={control.options} />
      );
  }
}

/** Before and after, line by line. */
export function ChangeTable({ rows }: { rows: readonly ChangeRow[] }) {
  const { t } = useTranslation('settings');
  const nothing = t('confirm.nothing');
  return (
    <EntriesTable
      columns={[
        { head: t('confirm.what'), isRowName: true, render: ({ label }) => label },
        { head: t('confirm.before'), isLabelled: true, render: ({ before }) => before ?? nothing },
        {
          head: t('confirm.after'),
          className: 'font-semibold',
          isLabelled: true,
          render: ({ after }) => after ?? nothing,
        },
      ]}
      entries={rows}
      rowOf={({ label }) => ({ key: label, className: 'wrap-anywhere max-wide:grid-cols-1' })}
    />
  );
}
