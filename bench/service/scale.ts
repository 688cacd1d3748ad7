import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures, RowId } from './limits.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'scale.md');
const BEGIN = '<!-- written by bench service: begin -->';
const END = '<!-- written by bench service: end -->';

type Known = { readonly [id: string]: { figures: Figures } };

const YEAR_S = 365.25 * 24 * 3600;
/**
 * The busiest hour over the mean: month 1.8 × weekday 1.3 × hour 2.5, rounded up; its busiest minute has twice as much.
 */
const PEAK_HOUR = 6;
const PEAK_MINUTE = 12;
/** Highest processor load at the peak. */
const BUSY = 0.6;
const WEB_PROCESSORS = 8;
/** Connections of one process: for requests, for jobs, and one that listens. */
const CONNECTIONS = 16 + 8 + 1;
/** KiB in the file store for one application: the e-visa, sometimes a photo or a scan. */
const FILES_KIB = 300;

/** How often each kind of work occurs for one paid application, visitors who never apply included. */
const shares: readonly (readonly [RowId, number, string])[] = [
  ['wizard', 2, 'one finished, and two given up half-way'],
  ['content', 20, 'most visitors only read'],
  ['asset', 30, 'the rest is in browsers’ caches'],
  ['pay', 2.2, 'one in five starts again; what a payment’s result costs is taken to be one start'],
  ['status', 6, ''],
  ['jobs', 3, 'three e-mails; the statements of jobs are not counted'],
  ['admin', 6, 'pages of the desk for one decision, each taken to be the dearest one'],
];

const number = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const cells = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
const table = (heads: readonly string[], lines: readonly (readonly string[])[]) =>
  [cells(heads), cells(heads.map(() => '---')), ...lines.map(cells)].join('\n');

type One = { web: number; postgres: number; statements: number };

const costOf = ({ web, microseconds, postgres = 0, statements = 0 }: Figures): One => ({
  web: web ?? (microseconds ?? 0) / 1000,
  postgres,
  statements,
});

/** The calculation in docs/scale.md from these figures; null where one is missing. */
function arithmetic(known: Known): string | null {
  const storage = known.storage?.figures;
  const parts = shares.flatMap(([id, times, why]) => {
    const found = known[id];
    return found ? [{ id, times, why, one: costOf(found.figures) }] : [];
  });
  if (parts.length < shares.length || storage?.stored === undefined || storage.wal === undefined) {
    return null;
  }
  const sum = (of: (one: One) => number) =>
    parts.reduce((total, { times, one }) => total + times * of(one), 0);
  const all: One = {
    web: sum(({ web }) => web),
    postgres: sum(({ postgres }) => postgres),
    statements: sum(({ statements }) => statements),
  };
  const perApplication = table(
    ['work (row of figures.md)', 'times', 'web ms', 'PostgreSQL ms', 'statements', 'why so often'],
    [
      ...parts.map(({ id, times, why, one }) => [
        id,
        number(times, times % 1 === 0 ? 0 : 1),
        `${times} × ${number(one.web, 2)} = ${number(times * one.web, 1)}`,
        `${times} × ${number(one.postgres, 2)} = ${number(times * one.postgres, 1)}`,
        `${times} × ${one.statements} = ${number(times * one.statements)}`,
        why,
      ]),
      [
        '**one application**',
        '',
        `**${number(all.web)}**`,
        `**${number(all.postgres)}**`,
        `**${number(all.statements)}**`,
        '',
      ],
    ],
  );
  const years = [1e6, 1e8].map((applications) =>
    needs(applications, all, { stored: storage.stored ?? 0, wal: storage.wal ?? 0 }),
  );
  const perYear = table(
    ['', 'how', 'one million a year', 'one hundred million a year'],
    (years[0] ?? []).map(([what, how], index) => [
      what,
      how,
      ...years.map((year) => year[index]?.[2] ?? ''),
    ]),
  );
  return `${perApplication}\n\n${perYear}`;
}

function needs(
  applications: number,
  { web, postgres, statements }: One,
  { stored, wal }: { stored: number; wal: number },
): readonly (readonly [string, string, string])[] {
  const mean = applications / YEAR_S;
  const hour = mean * PEAK_HOUR;
  const minute = mean * PEAK_MINUTE;
  const webBusy = (minute * web) / 1000;
  const databaseBusy = (minute * postgres) / 1000;
  const processes = Math.max(2, Math.ceil(webBusy / BUSY));
  const machines = Math.max(2, Math.ceil(processes / WEB_PROCESSORS) + 1);
  const kibPerYear = 1024 ** 2 / applications;
  return [
    ['applications a second, mean', `a year / ${number(YEAR_S)} s`, number(mean, 3)],
    ['busiest hour', `× ${PEAK_HOUR}`, number(hour, 2)],
    ['busiest minute', `× ${PEAK_MINUTE}`, number(minute, 2)],
    [
      'processors that the web keeps busy then',
      `× ${number(web)} ms`,
      `${number(minute, 2)} × ${number(web)} / 1,000 = ${number(webBusy, 2)}`,
    ],
    ['web processes, one a processor', `/ ${BUSY}, two at least`, number(processes)],
    [
      `machines for them, ${WEB_PROCESSORS} processors each`,
      'and one more, so that any may be away',
      number(machines),
    ],
    [
      'processors that PostgreSQL keeps busy then',
      `× ${number(postgres)} ms`,
      `${number(minute, 2)} × ${number(postgres)} / 1,000 = ${number(databaseBusy, 2)}`,
    ],
    [
      'processors of the primary',
      `/ ${BUSY}, two at least`,
      number(Math.max(2, Math.ceil(databaseBusy / BUSY))),
    ],
    ['statements a second', `× ${number(statements)}`, number(minute * statements)],
    [
      'connections that are held',
      `web processes × ${CONNECTIONS}, two workers × 9`,
      number(processes * CONNECTIONS + 18),
    ],
    [
      'of them at work at once',
      'processors that PostgreSQL keeps busy, × 3 for waiting',
      number(Math.ceil(databaseBusy * 3)),
    ],
    [
      'written ahead, to each standby and to the archive',
      `× ${number(2 * wal)} KiB: twice a wizard’s, for what follows it`,
      `${number((minute * 2 * wal) / 1024, 2)} MiB/s, ${number((2 * wal) / kibPerYear)} GiB a year`,
    ],
    [
      'database, grows by',
      `× ${number(2 * stored)} KiB: twice a wizard’s, for what follows it`,
      `${number((2 * stored) / kibPerYear)} GiB a year`,
    ],
    ['files, grow by', `× ${FILES_KIB} KiB`, `${number(FILES_KIB / kibPerYear)} GiB a year`],
  ];
}

/** Writes the calculation into the document, where all figures are known. */
export function writeScale(known: Known): void {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} does not say where its figures belong`);
  const text = arithmetic(known);
  if (text === null) return;
  writeFileSync(PAGE, `${page.slice(0, from + BEGIN.length)}\n${text}\n${page.slice(to)}`);
}
