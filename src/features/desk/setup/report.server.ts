import { textsIn } from '~/i18n/translations.server.ts';
import { countsOf, type Check, type CheckState } from './setup-check.ts';

const marks: Record<CheckState, string> = { ok: 'ok     ', missing: 'MISSING', unknown: '?      ' };

/** The checks as lines for a terminal, in English: what was found, and below it what mends it. */
export function checkLines(checks: readonly Check[]): string[] {
  const t = textsIn('en', 'setup');
  const lines = checks.flatMap(({ id, state, found, mend }) => [
    `${marks[state]}  ${t(`check.${id}`)}`,
    ...found.map(({ code, values }) => `         ${t(`found.${code}`, values)}`),
    ...mend.map(({ kind, text }) => `         → ${t(`mend.${kind}`)}: ${text}`),
  ]);
  return [...lines, '', t('counts', countsOf(checks))];
}
