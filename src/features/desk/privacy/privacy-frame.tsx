import { partsTyped } from '~/base/dates/dates.ts';
import type { ReactNode } from 'react';
import { FormPage } from '../frame/desk-page.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { problemFields, type CaseProblem } from './privacy-case.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { formatCount } from '../frame/formats.ts';
import type { RequestRow } from './requests-view.server.ts';
import type { GroupCount } from './deletions.server.ts';

export type PrivacyAnswer = { errors: readonly CaseProblem[]; typed: Record<string, string> };

/** The frame of the pages about personal data: the way up, what was wrong or done, and the sections. */
export function PrivacyFrame({
  title,
  lead,
  up = true,
  done,
  answer,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Whether a link leads up to the list. */
  up?: boolean;
  done: CodeIn<'privacy', 'done'> | null;
  answer: PrivacyAnswer | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('privacy');
  return (
    <FormPage
      done={done && !answer ? t(`done.${done}`) : null}
      lead={lead}
      problems={answer?.errors.map((error) => ({
        name: problemFields[error] ?? null,
        message: t(`error.${error}`),
      }))}
      title={title}
      up={up ? { to: '/admin/privacy', label: t('up') } : undefined}
    >
      {children}
    </FormPage>
  );
}

/** The fields of a form: what was typed in one before, and what is wrong with it. */
export function useFields(answer: PrivacyAnswer | undefined) {
  const { t } = useTranslation('privacy');
  const checked = (name: string) => {
    const error = answer?.errors.find((one) => problemFields[one] === name);
    return { name, error: error && t(`error.${error}`) };
  };
  return {
    checked,
    field: (name: string, first?: string | null) => ({
      ...checked(name),
      defaultValue: answer?.typed[name] ?? first ?? undefined,
    }),
    date: (name: string) => ({
      ...checked(name),
      defaultValue: partsTyped(answer?.typed ?? {}, name),
    }),
    box: (name: string) => ({ ...checked(name), defaultChecked: answer?.typed[name] === 'yes' }),
  };
}

/** Every text of a form by its field; of several values of one field the last. */
export const typedTexts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form.entries()].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
    ),
  );

const dones = [
  'opened',
  'identity',
  'erase',
  'close',
  'place',
  'lift',
] as const satisfies readonly CodeIn<'privacy', 'done'>[];

/** What was done just before, by `?done=`. */
export function readCompletedAction(request: Request): (typeof dones)[number] | null {
  const named = new URL(request.url).searchParams.get('done');
  return dones.find((one) => one === named) ?? null;
}

/** How many days are left to answer, or for how many it is overdue; nothing for a closed request. */
export function DaysLeft({ left, isUrgent }: Pick<RequestRow, 'left' | 'isUrgent'>) {
  const { t, language } = useTranslation('privacy');
  if (left === null) return null;
  if (left < 0) {
    return (
      <StatusTag icon="alert" tone="red">
        {t('overdue', { count: formatCount(-left, language) })}
      </StatusTag>
    );
  }
  return (
    <StatusTag tone={isUrgent ? 'amber' : 'neutral'}>
      {t('left', { count: formatCount(left, language) })}
    </StatusTag>
  );
}

/** Counts of rows by what they are about, and of files. */
export function GroupCounts({
  counts,
  files = 0,
}: {
  counts: readonly GroupCount[];
  files?: number;
}) {
  const { t, language } = useTranslation('privacy');
  const all = [...counts, ...(files > 0 ? [{ group: 'files' as const, count: files }] : [])];
  return (
    <ul className="grid gap-1">
      {all.map(({ group, count }) => (
        <li key={group}>
          {t('count', { group: t(`group.${group}`), count: formatCount(count, language) })}
        </li>
      ))}
    </ul>
  );
}
