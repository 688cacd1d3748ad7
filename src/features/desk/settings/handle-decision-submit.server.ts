import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { activeAccounts } from '~/features/staff/account-store.server.ts';
import type { Language } from '~/base/languages.ts';
import { data, redirect, type RouterContextProvider } from 'react-router';
import { audit, type AuditAction } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import type { StaffAction } from '~/features/staff/roles.ts';
import type { Section, Settings } from '~/features/settings/change.ts';
import { decide, withdraw, type Fits, type Trace } from '~/features/settings/decide.server.ts';
import { CHANGE_NOTICE_JOB, type ChangeNotice } from '~/features/settings/change-notice.ts';
import { isTwoPeopleSection, needsTwoPeople } from '~/features/settings/two-people.ts';
import { propose, type ProposeError } from '~/features/settings/propose.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { answerProposal, decidesAlone } from './proposals.server.ts';
import {
  readWhen,
  type ChangeRow,
  type SettingsProblem,
  type TypedSettings,
} from './typed-settings.ts';

export type SettingsArgs = { request: Request; context: Readonly<RouterContextProvider> };

export type SettingsAnswer =
  | { kind: 'typed'; typed: TypedSettings; problems: readonly SettingsProblem[] }
  | {
      kind: 'confirm';
      typed: TypedSettings;
      rows: readonly ChangeRow[];
      notes: readonly string[];
      validFrom: number | null;
      /** Another administrator has to confirm it. */
      isProposal: boolean;
    }
  | { kind: 'refused'; typed: TypedSettings; error: ProposeError };

/** The values of a form, read. */
export type Read = {
  /** What changes, by subject; empty where nothing does. */
  values: Readonly<Record<string, unknown>>;
  problems: readonly SettingsProblem[];
};

export type SectionForm = {
  section: Section;
  /** The right needed to decide; by default `administer`. */
  right?: StaffAction;
  /** The page to which saving redirects. */
  page: string;
  /** `at`: when the decision would take effect, for the values in force then. */
  read: (typed: TypedSettings, settings: Settings, at: Date) => Read | Promise<Read>;
  rows: (values: Read['values'], settings: Settings, at: Date) => readonly ChangeRow[];
  /** Notes to show before a change is saved. */
  notes?: (values: Read['values']) => Promise<readonly string[]>;
  /** Decisions take effect at once; the form does not ask when. */
  isAtOnce?: true;
  fits: Fits;
  /** The earliest moment at which these values may take effect; by default now. */
  earliest?: (values: Read['values'], settings: Settings, now: Date) => Date;
};

/**
 * Handles the form of every settings page: `review` shows what will change, `save` stores it, `edit` goes back,
 * `withdraw` withdraws a planned decision. Nothing is stored that was not shown first.
 */
export async function handleDecisionSubmit(
  args: SettingsArgs,
  makeForm: (platform: Platform) => SectionForm,
) {
  const platform = args.context.get(platformContext);
  const form = makeForm(platform);
  const staff = await requireStaff(args, form.right ?? 'administer');
  const sent = await readForm(args);
  const typed = typedOf(sent);
  const now = platform.now();
  const language = args.context.get(languageContext);
  const trace =
    (action: AuditAction, detail: Record<string, boolean> = {}): Trace =>
    async (tx, change) => {
      await audit(tx, {
        at: now,
        staffId: staff.id,
        action,
        subject: { kind: 'setting', id: form.section },
        detail: {
          [action.startsWith('setting_propos') ? 'proposal' : 'change']: change,
          ...detail,
        },
      });
      const what = toldAs[action];
      if (what && isTwoPeopleSection(form.section)) {
        await tellAdministrators(tx, {
          section: form.section,
          what,
          change,
          by: staff.id,
          language,
        });
      }
    };
  const answer = (content: SettingsAnswer, status: number) =>
    data<SettingsAnswer>(content, { status, headers: PRIVATE_PAGE });
  const refuse = (error: ProposeError) =>
    answer({ kind: 'refused', typed, error }, error === 'not_found' ? 404 : 409);
  const intent = sent.get('intent');

  if (intent === 'withdraw') {
    const asked = { section: form.section, id: Number(typed.change), staffId: staff.id, now };
    const done = await withdraw(platform.db, asked, form.fits, trace('setting_withdrawn'));
    return done.ok ? redirect(`${form.page}?done=withdrawn`, 303) : refuse(done.error);
  }
  const answered = needsTwoPeople(form.section)
    ? await answerProposal({ platform, form, staff, typed, now, trace }, formText(sent, 'intent'))
    : null;
  if (answered?.kind === 'done') return redirect(`${form.page}?done=${answered.done}`, 303);
  if (answered?.kind === 'problem') {
    return answer({ kind: 'typed', typed, problems: [answered.problem] }, 422);
  }
  if (answered) return refuse(answered.error);
  if (intent === 'edit') return answer({ kind: 'typed', typed, problems: [] }, 200);

  const isAlone = needsTwoPeople(form.section) && (await decidesAlone(platform));
  const isProposal = needsTwoPeople(form.section) && !isAlone;
  const when = readWhen(form.isAtOnce ? { ...typed, from: 'now' } : typed, now);
  const settings = await readSettings(platform.db);
  const planned = when.validFrom ?? now;
  const read = await form.read(typed, settings, planned);
  const problems = [...read.problems, ...when.problems];
  if (problems.length === 0 && Object.keys(read.values).length === 0) {
    problems.push({ field: 'form', code: 'nothing_changed' });
  }
  const earliest = form.earliest?.(read.values, settings, now) ?? now;
  if (problems.length === 0 && planned < earliest) {
    const date = earliest.toISOString().slice(0, 16).replace('T', ' ');
    problems.push({ field: 'from', code: 'too_early', values: { date } });
  }
  if (problems.length > 0) return answer({ kind: 'typed', typed, problems }, 422);
  if (intent !== 'save') {
    const rows = form.rows(read.values, settings, planned);
    const validFrom = when.validFrom?.getTime() ?? null;
    const notes = (await form.notes?.(read.values)) ?? [];
    return answer({ kind: 'confirm', typed, rows, notes, validFrom, isProposal }, 200);
  }
  const decision = {
    section: form.section,
    values: read.values,
    validFrom: when.validFrom,
    reason: when.reason,
    staffId: staff.id,
    seen: typed.version ?? '',
    now,
  };
  if (isProposal) {
    const proposed = await propose(platform.db, decision, form.fits, trace('setting_proposed'));
    return proposed.ok ? redirect(`${form.page}?done=proposed`, 303) : refuse(proposed.error);
  }
  const done = await decide(
    platform.db,
    { ...decision, alone: isAlone },
    form.fits,
    trace('setting_changed', isAlone ? { alone: true } : {}),
  );
  return done.ok ? redirect(`${form.page}?done=saved`, 303) : refuse(done.error);
}

/** What administrators are told of: of a change that is undone or declined its author alone learns, at the desk. */
const toldAs: Partial<Record<AuditAction, ChangeNotice['what']>> = {
  setting_proposed: 'proposed',
  setting_confirmed: 'confirmed',
  setting_changed: 'alone',
};

/** Characters of one control, except the wording of an insurer's terms. */
const LONGEST = 2000;
const LONGEST_WORDING = 60_001;

const typedOf = (sent: FormData): TypedSettings =>
  Object.fromEntries(
    [...sent].flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'intent'
        ? [[name, value.slice(0, name.startsWith('wording-') ? LONGEST_WORDING : LONGEST)]]
        : [],
    ),
  );

/**
 * Tells every administrator by email, also the author, that prices are to change or will: whoever gave themselves a
 * second account cannot do it unseen. In the transaction of what it tells of.
 */
async function tellAdministrators(
  tx: Transaction,
  notice: Omit<ChangeNotice, 'accountId' | 'language'> & { language: Language },
): Promise<void> {
  for (const { id } of await activeAccounts(tx, ['administrator'])) {
    await enqueue(tx, CHANGE_NOTICE_JOB, { ...notice, accountId: id } satisfies ChangeNotice);
  }
}
