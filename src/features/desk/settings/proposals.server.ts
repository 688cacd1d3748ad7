import { listAccounts } from '~/features/staff/account-store.server.ts';
import type { Section, Settings } from '~/features/settings/change.ts';
import { proposalsOf, type Proposal } from '~/features/settings/proposal-store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Outcome } from '~/base/outcome.ts';
import { sectionVersion, type Fits, type Trace } from '~/features/settings/decide.server.ts';
import {
  confirmProposal,
  declineProposal,
  withdrawProposal,
  type ProposeError,
} from '~/features/settings/propose.server.ts';
import { isNewAdministrator } from '~/features/staff/accounts/accounts.server.ts';
import type { AuditAction } from '~/features/staff/audit.server.ts';
import {
  LONGEST_REASON,
  type ChangeRow,
  type SettingsProblem,
  type TypedSettings,
} from './typed-settings.ts';

/** A proposal that waits for a second administrator. */
export type WaitingProposal = {
  id: number;
  who: string;
  isOwn: boolean;
  proposedAt: number;
  /** Null: as soon as it is confirmed. */
  validFrom: number | null;
  reason: string;
  rows: readonly ChangeRow[];
  /** The section was changed since: it can no longer be confirmed. */
  isOutdated: boolean;
};

export type EndedProposal = {
  id: number;
  who: string;
  proposedAt: number;
  state: 'declined' | 'withdrawn';
  by: string;
  at: number;
  why: string | null;
  rows: readonly ChangeRow[];
};

export type ShownProposals = {
  waiting: readonly WaitingProposal[];
  ended: readonly EndedProposal[];
  /** Another administrator can confirm. */
  hasSecond: boolean;
  /** The configuration lets this only administrator decide alone. */
  isAlone: boolean;
};

type Deciding = Pick<Platform, 'db' | 'config'>;

/**
 * Whether one administrator may decide about prices: only where the configuration says so, and only while there is no
 * second one.
 */
export async function decidesAlone({ db, config }: Deciding): Promise<boolean> {
  if (!config.oneAdministratorSetsPrices) return false;
  return activeAdministrators(await listAccounts(db)).length <= 1;
}

const activeAdministrators = (accounts: Awaited<ReturnType<typeof listAccounts>>) =>
  accounts.filter(({ role, active }) => role === 'administrator' && active);

/** The proposals of a section in words, and who may confirm them. */
export async function shownProposals(
  { db, config, now }: Deciding & Pick<Platform, 'now'>,
  staff: Staff,
  settings: Settings,
  form: {
    section: Section;
    rows: (values: Proposal['values'], settings: Settings, at: Date) => readonly ChangeRow[];
  },
): Promise<ShownProposals> {
  const [{ waiting, ended }, accounts] = await Promise.all([
    proposalsOf(db, form.section),
    listAccounts(db),
  ]);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? id));
  const version = sectionVersion(settings, form.section);
  const about = (proposal: Proposal) => ({
    id: proposal.id,
    who: nameOf(proposal.proposedBy),
    proposedAt: proposal.createdAt.getTime(),
    rows: form.rows(proposal.values, settings, proposal.validFrom ?? now()),
  });
  const hasSecond = activeAdministrators(accounts).some(({ id }) => id !== staff.id);
  return {
    waiting: waiting.map((proposal) => ({
      ...about(proposal),
      isOwn: proposal.proposedBy === staff.id,
      validFrom: proposal.validFrom?.getTime() ?? null,
      reason: proposal.reason,
      isOutdated: proposal.seen !== version,
    })),
    ended: ended.flatMap((proposal) =>
      proposal.decidedAt && (proposal.state === 'declined' || proposal.state === 'withdrawn')
        ? {
            ...about(proposal),
            state: proposal.state,
            by: nameOf(proposal.decidedBy),
            at: proposal.decidedAt.getTime(),
            why: proposal.why,
          }
        : [],
    ),
    hasSecond,
    isAlone: config.oneAdministratorSetsPrices && !hasSecond,
  };
}

type Answered =
  | { kind: 'done'; done: 'confirmed' | 'declined' | 'proposal_withdrawn' }
  | { kind: 'problem'; problem: SettingsProblem }
  | { kind: 'refused'; error: ProposeError };

/** What an administrator does with a proposal that waits; null for any other intent. */
export async function answerProposal(
  {
    platform: { db },
    form: { section, fits },
    staff,
    typed,
    now,
    trace,
  }: {
    platform: Pick<Platform, 'db'>;
    form: { section: Section; fits: Fits };
    staff: Staff;
    typed: TypedSettings;
    now: Date;
    trace: (action: AuditAction) => Trace;
  },
  intent: string,
): Promise<Answered | null> {
  const asked = { section, id: Number(typed.proposal), staffId: staff.id, now };
  const outcome = (
    done: Extract<Answered, { kind: 'done' }>['done'],
    result: Outcome<number, ProposeError>,
  ): Answered => (result.ok ? { kind: 'done', done } : { kind: 'refused', error: result.error });
  switch (intent) {
    case 'confirm':
      if (await isNewAdministrator(db, staff.id, now)) {
        return { kind: 'refused', error: 'new_administrator' };
      }
      return outcome(
        'confirmed',
        await confirmProposal(db, asked, fits, trace('setting_confirmed')),
      );
    case 'withdraw_proposal':
      return outcome(
        'proposal_withdrawn',
        await withdrawProposal(db, asked, trace('setting_proposal_withdrawn')),
      );
    case 'decline': {
      const field = `why-${typed.proposal ?? ''}`;
      const why = (typed[field] ?? '').trim();
      if (why === '') return { kind: 'problem', problem: { field, code: 'reason_required' } };
      if (why.length > LONGEST_REASON) {
        const values = { limit: LONGEST_REASON };
        return { kind: 'problem', problem: { field, code: 'reason_too_long', values } };
      }
      return outcome(
        'declined',
        await declineProposal(db, { ...asked, why }, trace('setting_proposal_declined')),
      );
    }
    default:
      return null;
  }
}
