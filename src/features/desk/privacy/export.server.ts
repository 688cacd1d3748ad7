import { zipSync, type Zippable } from 'fflate';
import { isLanguage, type Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { isNothing, type Chosen } from './chosen.ts';
import { readEverything } from './erase.server.ts';
import { caseById } from './case-store.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { chosenIn } from './cases.server.ts';
import type { CaseProblem } from './case-problem.ts';
import {
  dateOf,
  formatDate,
  UTC,
  dateFromParts,
  formatMoment,
  isPlainDate,
} from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { copyGroups, type CopyRow } from '~/features/status/copy-groups.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { type PersonData, OF_OTHERS, type PersonRows } from './read-person-store.server.ts';
import { numberOf, receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { orderById, totalOf } from '~/features/order/store.server.ts';
import type { ExportGroup } from './export-document.server.tsx';
import { emailText, readStored } from '~/features/email/layout/content.server.ts';

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
  const t = textsIn(language, 'desk');
  const at = (row: Json) => (row.at instanceof Date ? row.at : new Date(0));
  const newest = rows.toSorted((a, b) => at(b).getTime() - at(a).getTime());
  const written = newest.slice(0, MOST_ENTRIES).map((row) => ({
    term: formatMoment(at(row), language, UTC, 'dated'),
    value: t(`audit.${String(row.action)}`, String(row.action)),
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

/** The main facts of an export in the person's language, in the words of the site; every record follows them. */
async function exportGroups(
  platform: Platform,
  own: Chosen,
  data: PersonData,
  { language, fileNames }: { language: Language; fileNames: readonly string[] },
): Promise<ExportGroup[]> {
  const t = textsIn(language, 'receipt');
  const groups: ExportGroup[] = [];
  for (const id of own.applicationIds) {
    const application = await applicationById(platform.db, id);
    if (application) groups.push(...(await applicationGroups(platform, application, language)));
  }
  for (const id of own.orderIds) groups.push(...(await orderGroups(platform, id, language)));
  groups.push(...draftGroups(data, t('data.drafts')));
  if (fileNames.length > 0) {
    groups.push({
      title: t('data.files'),
      rows: fileNames.map((name, at) => ({ term: String(at + 1), value: name, latin: true })),
    });
  }
  return groups.filter(({ rows }) => rows.length > 0);
}

const row = (term: string, value: string | null, latin = false): CopyRow[] =>
  value === null || value === '' ? [] : [{ term, value, latin }];

async function applicationGroups(
  platform: Platform,
  application: Application,
  language: Language,
): Promise<ExportGroup[]> {
  const { kind, number, status, createdAt, paidAt, decidedAt, rejectionReason } = application;
  const t = textsIn(language, 'receipt');
  const day = (at: Date | null) => at && t('day', { date: formatDate(dateOf(at, UTC), language) });
  const answers = await copyGroups(platform, application, language);
  return [
    {
      title: `${t(`copy.${kind}`)} ${formatNumber(number)}`,
      rows: [
        ...row(t('data.status'), textsIn(language, 'application')(`status.${status}`)),
        ...row(t('copy.appliedOn'), day(createdAt)),
        ...row(t('data.paidOn'), day(paidAt)),
        ...row(t('data.decidedOn'), day(decidedAt)),
        ...row(t('data.reason'), rejectionReason),
      ],
    },
    ...(answers ?? []),
  ];
}

async function orderGroups(
  { db }: Platform,
  id: string,
  language: Language,
): Promise<ExportGroup[]> {
  const found = await orderById(db, id);
  if (!found) return [];
  const t = textsIn(language, 'receipt');
  const receipts = await receiptsOfOrder(db, id);
  const { number, customerName, customerEmail, paidAt } = found;
  return [
    {
      title: t('data.order', { number: formatNumber(number) }),
      rows: [
        ...row(t('data.payer'), customerName, true),
        ...row(t('data.email'), customerEmail, true),
        ...row(t('data.total'), formatMoney(totalOf(found), language)),
        ...row(
          t('data.paidOn'),
          paidAt && t('day', { date: formatDate(dateOf(paidAt, UTC), language) }),
        ),
        ...receipts.flatMap((one) =>
          row(numberOf(one), t('day', { date: formatDate(dateOf(one.issuedAt, UTC), language) })),
        ),
      ],
    },
  ];
}

/** Answers of drafts stand under the names that the form's controls have. */
function draftGroups({ tables }: PersonData, title: string): ExportGroup[] {
  const drafts = tables.filter(({ table }) => table === 'draft');
  return drafts.flatMap(({ rows }) =>
    rows.map(({ answers }) => ({
      title,
      rows: typedIn(answers).flatMap(([name, value]) => row(name, value, true)),
    })),
  );
}

function typedIn(answers: unknown): [string, string][] {
  if (typeof answers !== 'object' || answers === null || !('typed' in answers)) return [];
  const { typed } = answers;
  if (typeof typed !== 'object' || typed === null) return [];
  return Object.entries(typed).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
  );
}

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/**
 * Everything about the person of a case, as a ZIP: `data.json` with every row of every table, `data.pdf` with the same
 * to read, and the files. Recorded in the audit trail before it is handed out. Refused before the identity check, and once closed.
 */
export async function exportCase(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Outcome<Uint8Array, CaseProblem>> {
  const found = isUuid(id) ? await caseById(platform.db, platform.sealer, id) : null;
  if (!found) return refused('not_found');
  if (found.closedAt) return refused('closed');
  const own = chosenIn(found);
  if (!own) return refused('identity_first');
  if (isNothing(own)) return refused('nothing_chosen');
  const madeAt = platform.now();
  // The request itself is about the person, too.
  const data = await readEverything(platform, {
    ...own,
    caseIds: [...new Set([...own.caseIds, id])],
  });
  const files: Zippable = {};
  const fileNames: string[] = [];
  const missing: string[] = [];
  for (const fileId of data.fileIds) {
    const file = await platform.files.read(fileId);
    if (!file) {
      missing.push(fileId);
      continue;
    }
    const name = `files/${fileId}.${endings[file.mediaType] ?? 'bin'}`;
    files[name] = file.bytes;
    fileNames.push(name);
  }
  const { legalName } = await operatorNow(platform);
  const language = isLanguage(found.language) ? found.language : 'en';
  const t = textsIn(language, 'personal-data');
  const summary = await exportGroups(platform, own, data, { language, fileNames });
  const records = recordGroups(data.tables, language);
  // The drawing library is large: a process loads it with the first document.
  const { drawExport } = await import('./export-document.server.tsx');
  const pdf = await drawExport({
    language,
    madeAt,
    operatorName: legalName,
    privacyPage: `${platform.config.publicUrl}/${language}/privacy`,
    chapters: [
      { title: t('summary'), lead: null, groups: summary },
      { title: t('records'), lead: t('recordsLead'), groups: records },
    ],
  });
  const json = {
    madeAt,
    controller: legalName,
    request: { kind: found.kind, arrivedOn: found.arrivedOn },
    tables: Object.fromEntries(data.tables.map(({ table, rows }) => [table, rows])),
    files: fileNames,
    missingFiles: missing,
  };
  const rows = data.tables.reduce((sum, one) => sum + one.rows.length, 0);
  await audit(platform.db, {
    at: madeAt,
    staffId: staff.id,
    action: 'data_exported',
    subject: { kind: 'request', id },
    detail: { rows, files: fileNames.length },
  });
  return ok(
    zipSync({
      'data.json': Buffer.from(JSON.stringify(json, null, 2)),
      'data.pdf': new Uint8Array(pdf),
      ...files,
    }),
  );
}
