import {
  isTwoPeopleSection,
  type SettingsSection,
  type Settings,
} from '~/features/settings/change.ts';
import { sectionVersion } from '~/features/settings/decide.server.ts';
import { proposalsBySection, type SettingProposal } from '~/features/settings/proposals.server.ts';
import { listAccounts } from '~/features/staff/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { OpenSection } from './section.server.ts';

export type ShownProposals = NonNullable<Awaited<ReturnType<typeof shownProposals>>>;

type Accounts = Awaited<ReturnType<typeof listAccounts>>;

/**
 * Whether one administrator may decide about prices: only where the configuration says so, and only while there is no
 * second one.
 */
export async function mayDecideAlone({
  db,
  config,
}: Pick<Platform, 'db' | 'config'>): Promise<boolean> {
  if (!config.oneAdministratorSetsPrices) return false;
  return activeAdministrators(await listAccounts(db)).length <= 1;
}

const activeAdministrators = (accounts: Accounts) =>
  accounts.filter(({ role, active }) => role === 'administrator' && active);

/** The proposals of a section in words, and who may confirm them; null where one person decides. */
export async function shownProposals(
  {
    platform: { db, config, now },
    section,
    rows,
    staff,
  }: Pick<OpenSection, 'rows'> & { platform: Platform; section: SettingsSection; staff: Staff },
  settings: Settings,
  accounts: Accounts,
) {
  if (!isTwoPeopleSection(section)) return null;
  const { waiting, ended } = await proposalsBySection(db, section);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? id));
  const version = sectionVersion(settings, section);
  const about = (proposal: SettingProposal) => ({
    id: proposal.id,
    who: nameOf(proposal.proposedBy),
    proposedAt: proposal.createdAt.getTime(),
    rows: rows(proposal.values, settings, proposal.validFrom ?? now()),
  });
  const hasSecond = activeAdministrators(accounts).some(({ id }) => id !== staff.id);
  return {
    waiting: waiting.map((proposal) => ({
      ...about(proposal),
      isOwn: proposal.proposedBy === staff.id,
      /** Null: as soon as it is confirmed. */
      validFrom: proposal.validFrom?.getTime() ?? null,
      reason: proposal.reason,
      /** The section was changed since: it can no longer be confirmed. */
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
    /** Another administrator can confirm. */
    hasSecond,
    /** The configuration lets this only administrator decide alone. */
    isAlone: config.oneAdministratorSetsPrices && !hasSecond,
  };
}
