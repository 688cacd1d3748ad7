import { listAccounts } from '~/features/staff/account-store.server.ts';
import type { Section, Settings } from '~/features/settings/change.ts';
import { sectionVersion } from '~/features/settings/decide.server.ts';
import { proposalsOf, type Proposal } from '~/features/settings/proposal-store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ChangeRow } from './typed-settings.ts';

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
