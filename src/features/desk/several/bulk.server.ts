import { isUuid } from '~/base/uuid.ts';
import { askingEmails, type AskingEmail } from '~/features/application/change-email.server.ts';
import { dropOwnClaim } from '~/features/application/claim-store.server.ts';
import { isMistypedNumber, readNumber } from '~/features/application/number.ts';
import {
  applicationById,
  applicationsNumbered,
  type Application,
} from '~/features/application/store.server.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { cachedActiveStaff } from '~/features/staff/store.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { caseRefusal, handleCaseForm } from '../application/case-actions.server.ts';
import { actionRules, AUTHORITY_REFERENCE } from '../application/case-actions.ts';
import { toSendAgain } from '../application/case-emails.server.ts';
import { claimHolders, type Holder } from '../application/claim.server.ts';
import { decisionRefusal } from '../application/decide.server.ts';
import { readReference, type DeskError } from '../application/decision-types.ts';
import { readNote } from '../application/note.ts';
import { putOffRefusal, readPutOff } from '../application/put-off.server.ts';
import { decisionById } from '../application/undo-record.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import {
  bulkActions,
  CHOSEN,
  CONFIRMED,
  MAX_CHOSEN,
  MAX_TABLE_LENGTH,
  TABLE,
  type BulkAction,
  type BulkProblem,
  type LineError,
} from './bulk-actions.ts';
import { aboutApplication, type SeveralOutcome } from './decide-several.server.ts';

/** A line of a pasted table; `reference`: as typed, '' for none. */
type TableLine = { line: number; text: string; number: string; reference: string };

/**
 * Reads a table of application numbers and the authority's references, in either order, as spreadsheets copy it or with
 * commas or semicolons. A first line with neither a number of ours nor a digit is its heading; empty lines count, so
 * that errors name the lines that somebody sees.
 */
export function readTable(text: string): { lines: TableLine[]; errors: LineError[] } {
  const lines: TableLine[] = [];
  const errors: LineError[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const cells = cellsOf(raw);
    const numbers = cells.map((cell) => readNumber(cell));
    const at = numbers.findIndex(({ ok }) => ok);
    const isHeading = at < 0 && !/\p{Nd}/u.test(raw) && !cells.some(isMistypedNumber);
    if (cells.length === 0 || (index === 0 && isHeading)) continue;
    const wrong = (code: LineError['code'], first?: number) =>
      errors.push({ line, text: raw.trim(), code, ...(first !== undefined && { first }) });
    const read = numbers[at];
    if (cells.length > 2) wrong('columns');
    else if (!read?.ok || read.kind === 'group') wrong('number');
    else {
      const { number } = read;
      const before = lines.find((one) => one.number === number);
      const reference = cells[1 - at] ?? '';
      if (before) wrong('twice', before.line);
      else if (!readReference(reference).ok) wrong('reference');
      else lines.push({ line, text: raw.trim(), number, reference });
    }
  }
  return { lines, errors };
}

/** The cells of a line that say something: references contain no tab, semicolon or comma. */
const cellsOf = (line: string): string[] =>
  line
    .split(/[\t;,]/)
    .map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    .filter((cell) => cell !== '');

/** One of several, as the page says it before anything is done. */
export type PlannedCase = {
  number: string;
  name: string;
  /** When handing in: as typed, '' for none. */
  reference: string;
  /** When reminding: what the email asks for. */
  asks: AskingEmail['asks'] | null;
  /** Why nothing will be done for it. */
  error: DeskError | null;
};

export type BulkPlan = {
  /** Those that were chosen in the list, also where the form is wrong. */
  chosen: { number: string; name: string }[];
  problem: BulkProblem | null;
  planned: PlannedCase[];
};

type Asked = { action: BulkAction; form: FormData };
type Work = { application: Application; emailId: string; planned: PlannedCase };
type Plan = { chosen: Application[]; problem: BulkProblem | null; work: Work[] };

/**
 * What a form about several would do now, and for which of them it would not, by what refuses the action on one. Changes
 * nothing. The names in it are personal: the caller records that they were listed.
 */
export async function planBulk(platform: Platform, staff: Staff, asked: Asked): Promise<BulkPlan> {
  const { chosen, problem, work } = await plan(platform, staff, asked);
  return {
    chosen: chosen.map((one) => aboutApplication(one).application),
    problem,
    planned: work.map((one) => one.planned),
  };
}

async function plan(platform: Platform, staff: Staff, { action, form }: Asked): Promise<Plan> {
  const { db } = platform;
  const ticked = [...new Set(form.getAll(CHOSEN).filter((one) => typeof one === 'string'))];
  const chosen = await inOrder(platform, ticked.slice(0, MAX_CHOSEN));
  const refuse = (problem: BulkProblem): Plan => ({ chosen, problem, work: [] });
  if (ticked.length > MAX_CHOSEN) return refuse({ code: 'too_many' });
  const table = action === 'hand_in' ? formText(form, TABLE) : '';
  const { lines, errors } = readTable(table);
  if (table.length > MAX_TABLE_LENGTH || lines.length + errors.length > MAX_CHOSEN)
    return refuse({ code: 'too_many' });
  const listed = await inOrder(
    platform,
    lines.map(({ number }) => number),
  );
  const unknown = lines.filter(({ number }) => !listed.some((one) => one.number === number));
  const wrong = [...errors, ...unknown.map((one): LineError => ({ ...one, code: 'unknown' }))];
  if (wrong.length > 0)
    return refuse({ code: 'lines', lines: wrong.toSorted((one, other) => one.line - other.line) });
  const left = chosen.filter(({ number }) => !lines.some((line) => line.number === number));
  const applications = [...listed, ...left];
  if (applications.length === 0) return refuse({ code: 'none_chosen' });
  const typed = await typedRefusal(platform, action, form);
  if (typed) return refuse({ code: 'typed', error: typed });

  const ids = applications.map(({ id }) => id);
  const holders = await claimHolders(platform, staff, ids);
  const emails = action === 'remind' ? await askingEmails(db, ids) : new Map<string, AskingEmail>();
  const reminded = new Set<string>();
  const work: Work[] = [];
  for (const application of applications) {
    const { id, number } = application;
    const line = lines.find((one) => one.number === number);
    const email = emails.get(id) ?? null;
    const reference = line?.reference ?? '';
    const one = { action, application, holder: holders.get(id), reference, email };
    // Travellers of one order may have the same one.
    const isRepeated = email !== null && reminded.has(email.id);
    if (email) reminded.add(email.id);
    const error: DeskError | null =
      action === 'hand_in' && !line
        ? { code: 'not_in_table' }
        : ((await refusalOfOne(platform, staff, one)) ??
          (isRepeated ? { code: 'waiting_email' } : null));
    const about = aboutApplication(application).application;
    const planned = { ...about, reference, asks: email?.asks ?? null, error };
    work.push({ application, emailId: email?.id ?? '', planned });
  }
  return { chosen, problem: null, work };
}

/** Applications by their numbers, in the order of these; unknown ones are left out. */
async function inOrder({ db }: Pick<Platform, 'db'>, numbers: string[]): Promise<Application[]> {
  const found = new Map((await applicationsNumbered(db, numbers)).map((one) => [one.number, one]));
  return numbers.flatMap((number) => found.get(number) ?? []);
}

/** What is wrong with the fields that are the same for all. */
async function typedRefusal(
  { db, now }: Platform,
  action: BulkAction,
  form: FormData,
): Promise<DeskError | null> {
  if (action === 'assign') {
    const colleague = formText(form, 'colleague');
    if (!(await cachedActiveStaff(db)).some(({ id }) => id === colleague))
      return { code: 'unknown_colleague' };
    const note = readNote(formText(form, 'assignNote'));
    return !note.ok && note.error === 'long_note' ? { code: 'long_note' } : null;
  }
  if (action !== 'put_off') return null;
  const at = now();
  const office = officeInForce(await currentSettings(db), at);
  const read = readPutOff(textsOf(form), { at, office, promisedAt: null });
  return read.ok ? null : read.error;
}

/** Why nothing can be done for one of them now; what it is refused for meanwhile, its own action says. */
async function refusalOfOne(
  platform: Platform,
  staff: Staff,
  asked: {
    action: BulkAction;
    application: Application;
    holder: Holder | undefined;
    reference: string;
    email: AskingEmail | null;
  },
): Promise<DeskError | null> {
  const { db, sealer, now } = platform;
  const { action, application, holder, reference, email } = asked;
  const refusal = await caseRefusal(db, staff, application, bulkActions[action]);
  if (refusal) return refusal;
  if (actionRules(bulkActions[action]).claim !== 'ignored' && holder?.name)
    return { code: 'claimed', name: holder.name, until: holder.until };
  switch (action) {
    case 'hand_in':
      return decisionRefusal(db, staff, application, { kind: 'start_processing', reference });
    case 'put_off':
      return putOffRefusal(db, staff, application, now());
    case 'remind': {
      if (!email) return { code: 'nothing_to_remind' };
      const again = await toSendAgain(db, sealer, { id: email.id, applicationId: application.id });
      return again.ok ? null : { code: again.error };
    }
    case 'assign':
      return null;
  }
}

/** What one of several takes at most, on a busy machine. */
const MAX_SECONDS_EACH = 1;

const doneWords = {
  hand_in: 'handed_in',
  assign: 'assigned',
  put_off: 'put_off',
  remind: 'reminded',
} as const satisfies Record<BulkAction, string>;

/**
 * Does for each of several what its page does for one, in a transaction each, and only what was confirmed: what is
 * refused for one is done for the others. All happens at one moment, by which it can be undone together.
 */
export async function actOnBulk(
  platform: Platform,
  staff: Staff,
  { action, form }: Asked,
): Promise<Omit<BulkPlan, 'planned'> & { outcomes: SeveralOutcome[] }> {
  const { chosen, problem, work } = await plan(platform, staff, { action, form });
  const confirmed = form.getAll(CONFIRMED);
  const at = platform.now();
  const atOnce = { ...platform, now: () => at };
  // They take a while: all can still be undone for the author's seconds once the last one is done.
  const author = { ...staff, undoSeconds: staff.undoSeconds + work.length * MAX_SECONDS_EACH };
  const outcomes: SeveralOutcome[] = [];
  for (const { application, emailId, planned } of work) {
    const about = aboutApplication(application);
    const { reference, error } = planned;
    if (error || !confirmed.includes(application.number)) {
      outcomes.push({ ...about, error: error ?? { code: 'not_confirmed' } });
      continue;
    }
    const own = new FormData();
    for (const [name, text] of Object.entries(textsOf(form))) own.set(name, text);
    own.set('intent', bulkActions[action]);
    own.set('seen', application.status);
    own.set('about', emailId);
    own.set(AUTHORITY_REFERENCE, reference);
    const handled = await handleCaseForm(atOnce, author, application, own);
    // Nobody works on what was handed in with others.
    if (handled.ok && action === 'hand_in')
      await dropOwnClaim(platform.db, { applicationId: application.id, staffId: staff.id });
    outcomes.push({
      ...about,
      ...(handled.ok ? { done: doneWords[action] } : { error: handled.error.error }),
    });
  }
  return { chosen: chosen.map((one) => aboutApplication(one).application), problem, outcomes };
}

/** Undoes decisions of one's own, each as `undoDecision` does, and says which it could not. */
export async function undoTogether(
  platform: Platform,
  staff: Staff,
  ids: readonly string[],
): Promise<SeveralOutcome[]> {
  const outcomes: SeveralOutcome[] = [];
  for (const id of ids.slice(0, MAX_CHOSEN)) {
    const known = isUuid(id) ? await decisionById(platform.db, id) : null;
    const own = known?.staffId === staff.id ? known : null;
    const application = own && (await applicationById(platform.db, own.applicationId));
    if (!application) continue;
    const undone = await undoDecision(platform, staff, id);
    outcomes.push({
      ...aboutApplication(application),
      ...(undone.ok ? { done: 'undone' } : { error: undone.error }),
    });
  }
  return outcomes;
}

/** The texts of a form by field; of several of one name the last. */
export const textsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
