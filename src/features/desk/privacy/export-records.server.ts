import { dateFromParts, formatDate, formatMoment, isPlainDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';
import type { CopyRow } from '~/features/copy/copy-groups.server.ts';
import {
  OF_OTHERS,
  type PersonRows,
} from '~/features/desk/personal-data/read-person-store.server.ts';
import { emailText, readStored } from '~/features/email/layout/content.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { ExportGroup } from './export-document.server.tsx';

/** Letters in one row: longer texts go on in the next, because a row is never broken between pages. */
const LONGEST = 450;
const ARABIC = /\p{Script=Arabic}/u;
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/**
 * Every row of every table of an export, to read: a group for each row, headed by what the table holds, with the names of
 * its columns in the person's language, and dates, amounts and yes or no written out. Codes stay as they are stored; empty
 * columns are left out.
 */
export function recordGroups(tables: readonly PersonRows[], language: Language): ExportGroup[] {
  const t = textsIn(language, 'personal-data');
  const write = rowWriter(language);
  return tables.flatMap(({ table, rows }) => {
    const title = t(`table.${table}`, table);
    if (table === 'audit_entry') return [{ title, rows: auditRows(rows, language) }];
    return rows.flatMap((row, index): ExportGroup[] => {
      const written = write(readable(row));
      if (written.length === 0) return [];
      const at = String(index + 1);
      const numbered = t('numbered', { title, at, count: String(rows.length) });
      return [{ title: rows.length > 1 ? numbered : title, rows: written }];
    });
  });
}

/** Entries of the audit trail that a PDF lists; a colleague may have made more of them in a year than anybody reads. */
const MOST_ENTRIES = 500;

/** What was done and when, a line for each entry, the newest first. */
function auditRows(rows: readonly Json[], language: Language): CopyRow[] {
  const t = textsIn(language, 'books');
  const at = (row: Json) => (row.at instanceof Date ? row.at : new Date(0));
  const newest = rows.toSorted((a, b) => at(b).getTime() - at(a).getTime());
  const written = newest.slice(0, MOST_ENTRIES).map((row) => ({
    term: formatMoment(at(row), language, UTC, 'dated'),
    value: t(`audit.done.${String(row.action)}`, String(row.action)),
    latin: false,
  }));
  const more = rows.length - written.length;
  if (more === 0) return written;
  const value = textsIn(language, 'personal-data')('moreEntries', { count: String(more) });
  return [...written, { term: '', value, latin: false }];
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** A row with what only our code can read put into words: the body of an email, and dates typed in three parts. */
function readable(row: Json): Json {
  const { content, answers } = row;
  if (isObject(content) && 'body' in content) {
    const { body, ...rest } = content;
    const email = readStored(body);
    return { ...row, content: { ...rest, ...(email ? { text: emailText(email) } : { body }) } };
  }
  if (isObject(answers) && isObject(answers.typed)) {
    return { ...row, answers: withWholeDates(answers.typed) };
  }
  return row;
}

/** Controls of a date are named `x-day`, `x-month` and `x-year`. */
function withWholeDates(typed: Json): Json {
  const text = (name: string) => (typeof typed[name] === 'string' ? typed[name] : '');
  return Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => {
      const [, field = '', part] = /^(.+)-(day|month|year)$/.exec(name) ?? [];
      if (part === undefined) return [[name, value]];
      if (part !== 'day') return [];
      const parts = {
        day: text(name),
        month: text(`${field}-month`),
        year: text(`${field}-year`),
      };
      const date = dateFromParts(parts);
      return [[field, date !== null && isPlainDate(date) ? date : Object.values(parts).join(' ')]];
    }),
  );
}

/** Writes the columns of a row, and what is within them, one below the other. */
function rowWriter(language: Language): (row: Json) => CopyRow[] {
  const t = textsIn(language, 'personal-data');
  const label = (name: string) => t(`field.${name}`, inWords(name));

  const simple = (name: string, value: unknown): CopyRow['value'] | null => {
    if (value instanceof Date) return formatMoment(value, language, UTC, 'dated');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') {
      return name.endsWith('Minor') ? formatMoney(usd(value), language) : String(value);
    }
    if (typeof value !== 'string') return null;
    if (value === OF_OTHERS.email) return t('toOthers');
    if (value === OF_OTHERS.answer) return t('ofOthers');
    if (isPlainDate(value)) return formatDate(value, language);
    return MOMENT.test(value)
      ? formatMoment(new Date(value), language, UTC, 'dated')
      : value.trim();
  };

  const within = (term: string, name: string, value: unknown): CopyRow[] => {
    if (Array.isArray(value)) {
      const list: unknown[] = value;
      const texts = list.map((one) => simple(name, one));
      if (texts.every((one) => one !== null)) return lines(term, texts.join(', '));
      return list.flatMap((one, index) => within(`${term} ${index + 1}`, name, one));
    }
    if (isObject(value)) {
      return Object.entries(value).flatMap(([inner, one]) =>
        within(t('under', { outer: term, inner: label(inner) }), inner, one),
      );
    }
    return lines(term, simple(name, value) ?? '');
  };

  return (row) => Object.entries(row).flatMap(([name, value]) => within(label(name), name, value));
}

/** The name of a field that has no text, as words: `paymentUrl` and `payment_url` as “Payment url”. */
function inWords(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One row, or several for the paragraphs of a long text. */
function lines(term: string, value: string): CopyRow[] {
  if (value === '') return [];
  const parts: string[] = [];
  for (const paragraph of value.split(/\n{2,}/)) {
    for (const piece of paragraph.match(
      new RegExp(`[^]{1,${LONGEST}}(?=\\s|$)|[^]{1,${LONGEST}}`, 'gu'),
    ) ?? []) {
      const text = piece.trim();
      if (text !== '') parts.push(text);
    }
  }
  return parts.map((part, index) => ({
    term: index === 0 ? term : '',
    value: part,
    latin: !ARABIC.test(part),
  }));
}
