import { typedDate } from '~/base/dates/dates.ts';
import { data, redirect } from 'react-router';
import type { Language } from '~/base/languages.ts';
import type { Outcome } from '~/base/outcome.ts';
import { isTwoPeopleSection } from '~/features/settings/change.ts';
import {
  decideSetting,
  withdrawDecision,
  type AuditWriter,
} from '~/features/settings/decide.server.ts';
import {
  CHANGE_NOTICE_JOB,
  confirmProposal,
  declineProposal,
  proposeChange,
  withdrawProposal,
  type ChangeNotice,
  type ProposeError,
} from '~/features/settings/proposals.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { activeAccounts } from '~/features/staff/store.server.ts';
import { isNewAdministrator } from '~/features/staff/accounts/accounts.server.ts';
import { audit, type AuditAction } from '~/features/staff/audit.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { mayDecideAlone } from './proposals.server.ts';
import {
  MAX_SETTING_REASON_LENGTH,
  problemText,
  readSettingText,
  type ChangeRow,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { openSection, type SectionArgs } from './sections.server.ts';

export type SettingsAnswer = {
  typed: TypedSettings;
  /** `name`: the control; null where it is about the whole decision. */
  problems: readonly { name: string | null; message: string }[];
  /** What would change, where it may be saved now. */
  preview: {
    rows: readonly ChangeRow[];
    notes: readonly string[];
    validFrom: number | null;
    /** Another administrator has to confirm it. */
    isProposal: boolean;
  } | null;
};

type Done = 'saved' | 'withdrawn' | 'proposed' | 'confirmed' | 'declined' | 'proposal_withdrawn';

/**
 * Handles the form of every settings page: `review` shows what will change, `save` stores it, `edit` goes back,
 * `withdraw` withdraws a planned decision; `confirm`, `decline` and `withdraw_proposal` answer what was proposed. Nothing
 * is stored that was not shown first.
 */
export async function submitSection(args: SectionArgs) {
  const opened = await openSection(args);
  const { platform, language, section, staff, fits = () => true } = opened;
  const { db } = platform;
  const sent = await readForm(args);
  const typed = typedOf(sent);
  const now = platform.now();
  const needsTwo = isTwoPeopleSection(section);

  const answer = (content: Partial<SettingsAnswer>, status: number) =>
    data<SettingsAnswer>({ typed, problems: [], preview: null, ...content }, { status });
  const refuse = (problems: readonly SettingsProblem[]) =>
    answer(
      {
        problems: problems.map((problem) => ({
          name: problem.field === 'form' ? null : problem.field,
          message: problemText(problem, language),
        })),
      },
      422,
    );
  const end = (done: Done, outcome: Outcome<unknown, ProposeError>) => {
    if (outcome.ok) return redirect(`${opened.address}?done=${done}`, 303);
    const message = makeTranslate(language, 'settings')(`refused.${outcome.error}`);
    const status = outcome.error === 'not_found' ? 404 : 409;
    return answer({ problems: [{ name: null, message }] }, status);
  };
  const trace =
    (action: AuditAction, detail: Record<string, boolean> = {}): AuditWriter =>
    async (tx, change) => {
      const kind = action.startsWith('setting_propos') ? 'proposal' : 'change';
      await audit(tx, {
        at: now,
        staffId: staff.id,
        action,
        subject: { kind: 'setting', id: section },
        detail: { [kind]: change, ...detail },
      });
      const what = toldAs[action];
      if (what && isTwoPeopleSection(section)) {
        await tellAdministrators(tx, { section, what, change, by: staff.id, language });
      }
    };

  const intent = formText(sent, 'intent');
  const about = (id: string | undefined) => ({ section, id: Number(id), staffId: staff.id, now });
  if (intent === 'withdraw') {
    const asked = about(typed.change);
    return end('withdrawn', await withdrawDecision(db, asked, fits, trace('setting_withdrawn')));
  }
  if (intent === 'edit') return answer({}, 200);
  if (needsTwo && intent === 'confirm') {
    if (await isNewAdministrator(db, staff.id, now)) {
      return end('confirmed', { ok: false, error: 'new_administrator' });
    }
    const asked = about(typed.proposal);
    return end('confirmed', await confirmProposal(db, asked, fits, trace('setting_confirmed')));
  }
  if (needsTwo && intent === 'withdraw_proposal') {
    const asked = about(typed.proposal);
    const traced = trace('setting_proposal_withdrawn');
    return end('proposal_withdrawn', await withdrawProposal(db, asked, traced));
  }
  if (needsTwo && intent === 'decline') {
    const { text: why, problems } = readReason(typed, `why-${typed.proposal ?? ''}`);
    if (problems.length > 0) return refuse(problems);
    const asked = { ...about(typed.proposal), why };
    return end('declined', await declineProposal(db, asked, trace('setting_proposal_declined')));
  }

  const when = opened.isAtOnce ? { validFrom: null, problems: [] } : readWhen(typed, now);
  const reason = readReason(typed, 'reason');
  const settings = await readSettings(db);
  const planned = when.validFrom ?? now;
  const read = opened.read(typed, settings, planned);
  const problems = [...read.problems, ...when.problems, ...reason.problems];
  if (problems.length === 0 && Object.keys(read.values).length === 0) {
    problems.push({ field: 'form', code: 'nothing_changed' });
  }
  const earliest = opened.earliest?.(read.values, settings, now) ?? now;
  if (problems.length === 0 && planned < earliest) {
    const date = earliest.toISOString().slice(0, 16).replace('T', ' ');
    problems.push({ field: 'from', code: 'too_early', values: { date } });
  }
  if (problems.length > 0) return refuse(problems);
  const isAlone = needsTwo && (await mayDecideAlone(platform));
  const isProposal = needsTwo && !isAlone;
  if (intent !== 'save') {
    const rows = opened.rows(read.values, settings, planned);
    const notes = (await opened.notes?.(read.values)) ?? [];
    const validFrom = when.validFrom?.getTime() ?? null;
    return answer({ preview: { rows, notes, validFrom, isProposal } }, 200);
  }
  const decision = {
    section,
    values: read.values,
    validFrom: when.validFrom,
    reason: reason.text,
    staffId: staff.id,
    seen: typed.version ?? '',
    now,
  };
  if (isProposal) {
    return end('proposed', await proposeChange(db, decision, fits, trace('setting_proposed')));
  }
  const traced = trace('setting_changed', isAlone ? { alone: true } : {});
  return end('saved', await decideSetting(db, { ...decision, alone: isAlone }, fits, traced));
}

/** What administrators are told of: of a change that is undone or declined its author alone learns, at the desk. */
const toldAs: Partial<Record<AuditAction, ChangeNotice['what']>> = {
  setting_proposed: 'proposed',
  setting_confirmed: 'confirmed',
  setting_changed: 'alone',
};

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

/** Years ahead in which a decision may take effect; later is a typing mistake. */
const YEARS_AHEAD = 5;

/** When a decision takes effect (null: now): the controls `date` and `time` (14:30), in UTC. */
function readWhen(
  typed: TypedSettings,
  now: Date,
): { validFrom: Date | null; problems: SettingsProblem[] } {
  if (typed.from !== 'later') return { validFrom: null, problems: [] };
  const refuse = (code: SettingsProblem['code'], values = {}) => ({
    validFrom: null,
    problems: [{ field: 'date', code, values }],
  });
  const day = typedDate(typed, 'date');
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(readSettingText(typed, 'time'));
  if (!day || !time) return refuse('moment_unreal');
  const [, hour = '', minute = ''] = time;
  const validFrom = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:00Z`);
  if (validFrom <= now) return refuse('moment_past');
  if (validFrom.getUTCFullYear() > now.getUTCFullYear() + YEARS_AHEAD) {
    return refuse('moment_far', { years: YEARS_AHEAD });
  }
  return { validFrom, problems: [] };
}

function readReason(
  typed: TypedSettings,
  field: string,
): { text: string; problems: SettingsProblem[] } {
  const text = readSettingText(typed, field);
  if (text === '') return { text, problems: [{ field, code: 'reason_required' }] };
  if (text.length <= MAX_SETTING_REASON_LENGTH) return { text, problems: [] };
  const values = { limit: MAX_SETTING_REASON_LENGTH };
  return { text, problems: [{ field, code: 'reason_too_long', values }] };
}

/** Characters of one control, except the wording of an insurer's terms. */
const MAX_CONTROL_LENGTH = 2000;
const MAX_WORDING_CONTROL_LENGTH = 60_001;

const typedOf = (sent: FormData): TypedSettings =>
  Object.fromEntries(
    [...sent].flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'intent'
        ? [
            [
              name,
              value.slice(
                0,
                name.startsWith('wording-') ? MAX_WORDING_CONTROL_LENGTH : MAX_CONTROL_LENGTH,
              ),
            ],
          ]
        : [],
    ),
  );
