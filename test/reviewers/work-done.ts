import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rejectionAuthor, rejectionCodes } from '~/features/application/rejection.ts';
import { actionRules } from '~/features/desk/application/case-actions.ts';
import type { Rows } from '../crash/books.ts';
import type { Findings } from '../crash/findings.ts';
import type { Effect } from './reviewer.ts';

/** One application as the service keeps it once everything has settled. */
type Case = {
  number: string;
  status: string;
  reference: string | null;
  /** Events of its history, by kind. */
  events: Record<string, number>;
  /**
   * Emails that were sent, by kind; of a PDF that came later each is one. That it was handed in nobody needs to hear who has
   * the decision by then.
   */
  emails: Record<string, number>;
  /** Emails that wait or failed. */
  unsent: number;
  /** Refunds that follow from a rejection and have arrived. */
  refunds: number;
};

/** What was decided and not undone. */
type Decision = { number: string; kind: string; staffId: string };

type Entry = Decision & { count: number };

/** Which applications an email is about is known once it is written. */
const isAbout = `(e.subject = a.id::text or e.id in (select email_id from application_email l where l.application_id = a.id))`;

async function readCases(ledger: Rows): Promise<Case[]> {
  return ledger.rows<Case>(`
    select a.number, a.status, a.authority_reference as reference,
      coalesce((select jsonb_object_agg(kind, count) from (
        select kind, count(*)::int as count from application_event e where e.application_id = a.id group by kind) own), '{}') as events,
      coalesce((select jsonb_object_agg(kind, count) from (
        select e.kind, count(*)::int as count from email e where ${isAbout}
          and (e.sent_at is not null or (e.kind = 'processing' and e.failure = 'over')) group by e.kind) own), '{}') as emails,
      (select count(*)::int from email e where ${isAbout}
        and e.sent_at is null and e.failure is distinct from 'over') as unsent,
      (select count(*)::int from order_refund r where a.number = any(r.application_numbers)
        and r.cause in ('rejected_by_us', 'cancelled') and r.completed_at is not null) as refunds
    from application a where a.kind = 'visa'`);
}

/** Whether a decision that stands gives money back: our team or the traveller ended it before it was handed in. */
function refundsMoney(code: string, isHandedIn: boolean): boolean {
  const known = rejectionCodes.find((one) => one === code) ?? null;
  return rejectionAuthor('visa', known, isHandedIn) !== 'authorities';
}

/** What must hold after two people have worked side by side: nothing lost, nothing doubled. */
export async function workDone(
  ledger: Rows,
  effects: readonly Effect[],
  { staffIds, dataDir }: { staffIds: readonly string[]; dataDir: string },
): Promise<Findings> {
  const faults: string[] = [];
  const none = <T>(fault: string, found: readonly T[], show: (one: T) => string) => {
    if (found.length === 0) return;
    faults.push(`${found.length} × ${fault}: ${found.slice(0, 3).map(show).join(', ')}`);
  };
  const cases = await readCases(ledger);
  const number = (one: { number: string }) => one.number;
  const keyOf = (one: Decision) => [one.number, one.kind, one.staffId].join(' ');

  const decisions = await ledger.rows<Decision & { id: string; isUndone: boolean }>(
    `select d.id, a.number, d.kind, d.staff_id as "staffId", d.undone_at is not null as "isUndone"
     from desk_decision d join application a on a.id = d.application_id`,
  );
  const standing = decisions.filter((one) => !one.isUndone);
  const said = effects.filter(
    (one) => one.action === 'approve' || one.action === 'reject' || one.action === 'attach',
  );
  const handedIn = effects.filter((one) => one.action === 'start_processing');
  const undone = new Set(effects.filter((one) => one.action === 'undo').map((one) => one.key));
  const differing = differences(
    [...said, ...handedIn].map((one) => keyOf({ ...one, kind: one.action })),
    decisions.map(keyOf),
  );
  none('a decision that was answered for and is not stored as often', differing.missing, String);
  none('a decision that is stored and was not answered for', differing.surplus, String);
  none(
    'an undone decision that nobody was told is undone, or the other way round',
    decisions.filter((one) => one.isUndone !== undone.has(one.id)),
    keyOf,
  );

  const byCase = Map.groupBy(standing, number);
  const kindsOf = (one: Case) => (byCase.get(one.number) ?? []).map(({ kind }) => kind);
  const count = (one: Case, ...kinds: readonly string[]) =>
    kindsOf(one).filter((kind) => kinds.includes(kind)).length;
  none(
    'an application decided more than once, or handed in more than once',
    cases.filter(
      (one) => count(one, 'approve', 'reject') > 1 || count(one, 'start_processing') > 1,
    ),
    number,
  );
  none(
    'an application whose status is not that of its decisions',
    cases.filter((one) => one.status !== statusAfter(kindsOf(one))),
    (one) => `${one.number} ${one.status} after ${kindsOf(one).join('+')}`,
  );
  const eventOf = { processing: 'start_processing', approved: 'approve', rejected: 'reject' };
  none(
    'an application whose history is not that of its decisions',
    cases.filter((one) =>
      Object.entries(eventOf).some(
        ([event, kind]) => (one.events[event] ?? 0) !== count(one, kind),
      ),
    ),
    (one) => `${one.number} ${JSON.stringify(one.events)} after ${kindsOf(one).join('+')}`,
  );

  none(
    'a claim on an application that is decided and delivered',
    await ledger.rows<{ number: string }>(
      `select a.number from desk_claim c join application a on a.id = c.application_id
       where c.expires_at > now() and a.decided_at is not null and a.undelivered_since is null`,
    ),
    number,
  );

  const emailOf = { ...eventOf, document: 'attach' };
  none(
    'an application with more or fewer emails than decisions',
    cases.filter((one) =>
      Object.entries(emailOf).some(
        ([email, kind]) => (one.emails[email] ?? 0) !== count(one, kind),
      ),
    ),
    (one) => `${one.number} ${JSON.stringify(one.emails)} after ${kindsOf(one).join('+')}`,
  );
  none(
    'an application with an email that is not sent',
    cases.filter((one) => one.unsent > 0),
    number,
  );

  const codes = new Map(said.flatMap((one) => (one.code ? [[one.number, one.code]] : [])));
  none(
    'a rejection without its one refund, or a refund without a rejection',
    cases.filter((one) => {
      const isDue =
        count(one, 'reject') === 1 &&
        refundsMoney(codes.get(one.number) ?? '', count(one, 'start_processing') > 0);
      return one.refunds !== Number(isDue);
    }),
    (one) => `${one.number} ${one.refunds} after ${kindsOf(one).join('+')}`,
  );

  const references = Map.groupBy(
    effects.filter((one) => one.reference !== undefined),
    number,
  );
  none(
    'a reference that is lost, or was never given',
    cases.filter((one) => {
      const given = (references.get(one.number) ?? []).map(({ reference }) => reference ?? '');
      return count(one, 'start_processing') > 0
        ? !given.includes(one.reference ?? '')
        : one.reference !== null;
    }),
    (one) => `${one.number} ${one.reference}`,
  );

  const entries = await ledger.rows<Entry>(
    `select a.number, e.action as kind, e.staff_id as "staffId", count(*)::int as count
     from audit_entry e join application a on a.id::text = e.subject_id
     where e.staff_id = any($1) group by 1, 2, 3`,
    [staffIds],
  );
  const audited = entries.flatMap((one) => Array.from({ length: one.count }, () => keyOf(one)));
  const meant = unique(effects).flatMap((one) => {
    const kind = one.action === 'undo' ? 'decision_undone' : actionRules(one.action).audit;
    return kind ? [keyOf({ ...one, kind })] : [];
  });
  const kinds = new Set(meant.map((one) => one.split(' ')[1]));
  const trail = differences(
    meant,
    audited.filter((one) => kinds.has(one.split(' ')[1])),
  );
  // Taking back that one was put off is answered alike where that had ended by itself, and then leaves no entry.
  const missing = trail.missing.filter((one) => !one.includes(' put_off_ended '));
  none('an action without its audit entry', missing, String);
  none('an audit entry without its action', trail.surplus, String);

  const known = await ledger.rows<{ id: string }>(
    `select file_id as id from desk_upload union select file_id from application_document
     union select file_id from insurance_photo`,
  );
  const stored = storedFiles(join(dataDir, 'files'));
  const files = differences(
    known.map(({ id }) => id),
    stored,
  );
  none('a file that is lost', files.missing, String);
  none('a file that belongs to nothing', files.surplus, String);

  const does = (action: string) => effects.filter((one) => one.action === action).length;
  return {
    faults,
    figures: {
      handedIn: does('start_processing'),
      referred: does('set_reference'),
      approved: does('approve'),
      attached: does('attach'),
      rejected: does('reject'),
      undone: undone.size,
      putOff: does('put_off'),
      resumed: does('resume'),
      asked: does('correction'),
      withdrawn: does('withdraw'),
      taken: does('take'),
      notes: does('note'),
      files: stored.length,
      auditEntries: audited.length,
    },
  };
}

/** Sent twice, each is answered alike and done once. */
const repeatable = ['set_reference', 'note', 'undo'];
const unique = (effects: readonly Effect[]): Effect[] => {
  const seen = new Set<string>();
  return effects.filter(({ action, key }) => {
    const isRepeated = repeatable.includes(action) && seen.has(`${action} ${key}`);
    seen.add(`${action} ${key}`);
    return !isRepeated;
  });
};

function statusAfter(kinds: readonly string[]): string {
  if (kinds.includes('approve')) return 'approved';
  if (kinds.includes('reject')) return 'rejected';
  return kinds.includes('start_processing') ? 'processing' : 'pending';
}

/** What is in one list more often than in the other. */
function differences(expected: readonly string[], found: readonly string[]) {
  const counts = new Map<string, number>();
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) + 1);
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) - 1);
  const left = [...counts];
  return {
    missing: left.flatMap(([one, count]) => (count > 0 ? [one] : [])),
    surplus: left.flatMap(([one, count]) => (count < 0 ? [one] : [])),
  };
}

/** The ids of the files in a folder of the service. */
const storedFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => one.name);
