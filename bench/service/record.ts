import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { writeScale } from './scale.ts';
import { missedOf, quantities, rows, written, type Figures } from './limits.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const DATA = join(docs, 'figures.json');
const PAGE = join(docs, 'figures.md');

const quantity = z.enum(Object.keys(quantities) as (keyof typeof quantities)[]);
/** The last measurement of a row, with date and commit. */
const measured = z.object({
  work: z.string(),
  figures: z.partialRecord(quantity, z.number()),
  at: z.string(),
  commit: z.string(),
});
const record = z.object({
  before: z.record(z.string(), measured),
  last: z.record(z.string(), measured),
  /** Lines below the table, by name. */
  notes: z.record(z.string(), z.string()),
  machine: z.string(),
});
export type Record = z.infer<typeof record>;
export type Measured = z.infer<typeof measured>;

export const commit = (): string => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: docs }).toString().trim();
  const isClean = git('status', '--porcelain', '--', '../src', '../package-lock.json') === '';
  return git('rev-parse', '--short', 'HEAD') + (isClean ? '' : ' and changes');
};

export const machine = (): string =>
  `${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? 'of an unknown kind'}), Node ${process.versions.node}`;

function read(): Record {
  try {
    return record.parse(JSON.parse(readFileSync(DATA, 'utf8')));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return { before: {}, last: {}, notes: {}, machine: '' };
  }
}

/** Replaces the rows of earlier runs by these; other rows stay, with the date of their measurement. */
export function recordResult(
  which: 'before' | 'last',
  run: { rows: { [id: string]: Measured }; notes: { [name: string]: string } },
): void {
  const known = read();
  const all: Record = {
    ...known,
    [which]: { ...known[which], ...run.rows },
    ...(which === 'last' && { notes: { ...known.notes, ...run.notes } }),
    machine: machine(),
  };
  writeScale({ ...all.before, ...all.last });
  writeFileSync(DATA, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(all));
}

const cells = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;

/** The measured rows in table order, as Markdown. */
export function tableOf(
  last: { [id: string]: Measured },
  before: { [id: string]: Measured } = {},
): string {
  const hasBefore = Object.keys(before).length > 0;
  const heads = ['work', ...(hasBefore ? ['before'] : []), 'measured', 'at least', 'aim', 'met'];
  const lines = rows.flatMap(({ id, atLeast, aim }) => {
    const now = last[id];
    const known = now ?? before[id];
    if (!known) return [];
    return cells([
      known.work,
      ...(hasBefore ? [before[id] ? written(before[id].figures) : '–'] : []),
      now ? written(now.figures) : '–',
      written(atLeast),
      written(aim),
      now ? met(now.figures, atLeast, aim) : '–',
    ]);
  });
  return [cells(heads), cells(heads.map(() => '---')), ...lines].join('\n');
}

function met(figures: Figures, atLeast: Figures, aim: Figures): string {
  if (Object.keys(atLeast).length === 0) return '–';
  const missed = missedOf(figures, atLeast);
  if (missed.length > 0) return `MISSED: ${missed.map((name) => quantities[name].unit).join(', ')}`;
  const hasAim = Object.keys(aim).length > 0;
  return hasAim && missedOf(figures, aim).length === 0 ? 'yes, and the aim' : 'yes';
}

function pageOf({ before, last, notes, machine }: Record): string {
  const commits = new Set(Object.values(last).map(({ commit, at }) => `${commit} (${at})`));
  const old = new Set(Object.values(before).map(({ commit, at }) => `${commit} (${at})`));
  return `# Figures
Written by \`npm run bench -- service --write\`; not to be edited. On ${machine}.

Measured: ${[...commits].join(', ') || 'nothing yet'}. Before: ${[...old].join(', ') || 'nothing'}.

${tableOf(last, before)}

Milliseconds and µs are processor time, user and system, of all the service's processes and of all of PostgreSQL's, as Linux counts it: the median of several blocks after a warm-up of ten seconds (of four in the column "before"), four requests at a time over kept connections, with the headers that a browser sends. The service
has one process on one processor; PostgreSQL and the client run on the other, together with an idle-priority loop so that it does not enter a sleep state: on a virtual machine a wake-up costs the sender up to a fifth of a page. Statements are those of requests, BEGIN and COMMIT included, as PostgreSQL's own log shows them. The simulated payment partner is not part of it: a double in another process stands in for the card gateway. Others at work on the machine make the milliseconds of a run up to a third more; statements and bytes stay the same. What a request leaves to a job is held
back and given on a line of its own. "% of raw" is what a bare server needs for the same bytes (of \`POST\`: the same body and one prepared \`insert\`, PostgreSQL included) over what the service needs. "Bare React" is \`renderToString\` of the served page's own elements, without any of our code.

${Object.values(notes)
  .map((line) => `- ${line}`)
  .join('\n')}
`;
}
