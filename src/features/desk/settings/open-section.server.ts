import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { listAccounts } from '~/features/staff/account-store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import type { StaffAction } from '~/features/staff/roles.ts';
import type { Change, Section, Settings } from '~/features/settings/change.ts';
import { inForce } from '~/features/settings/change.ts';
import { sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { SettingsArgs } from './handle-decision-submit.server.ts';

const doneWords = [
  'saved',
  'withdrawn',
  'proposed',
  'confirmed',
  'declined',
  'proposal_withdrawn',
] as const;

/** A decision as the history shows it. */
export type PastChange = {
  id: number;
  /** Null for seeded values. */
  validFrom: number | null;
  decidedAt: number;
  /** Null for automatic decisions. */
  who: string | null;
  /** The second administrator. */
  confirmedBy: string | null;
  /** Decided by the only administrator there was. */
  alone: boolean;
  reason: string;
  lines: readonly string[];
  /** The subjects that it decides on. */
  subjects: readonly string[];
  /** `superseded`: later decisions have replaced all its values. */
  state: 'in_force' | 'superseded' | 'planned' | 'withdrawn';
};

/** The data of every settings page. */
export async function openSection(
  args: SettingsArgs,
  section: Section,
  linesOf: (change: Change, settings: Settings) => readonly string[],
  {
    isShown = () => true,
    right = 'administer',
  }: { isShown?: (change: Change) => boolean; right?: StaffAction } = {},
) {
  const staff = await requireStaff(args, right);
  const platform = args.context.get(platformContext);
  const [settings, accounts] = await Promise.all([
    readSettings(platform.db),
    listAccounts(platform.db),
  ]);
  const now = platform.now();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const stateOf = (change: Change): PastChange['state'] => {
    if (change.withdrawn) return 'withdrawn';
    if (change.validFrom > now) return 'planned';
    const isReplaced = Object.keys(change.values).every(
      (subject) => inForce(settings, section, subject, now)?.id !== change.id,
    );
    return isReplaced ? 'superseded' : 'in_force';
  };
  const history = settings.changes
    .filter((change) => change.section === section && isShown(change))
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime() || b.id - a.id)
    .map((change): PastChange => ({
      id: change.id,
      validFrom: change.validFrom.getTime() === 0 ? null : change.validFrom.getTime(),
      decidedAt: change.createdAt.getTime(),
      who: change.staffId === null ? null : (names.get(change.staffId) ?? change.staffId),
      confirmedBy:
        change.confirmedBy === null ? null : (names.get(change.confirmedBy) ?? change.confirmedBy),
      alone: change.alone,
      reason: change.reason,
      lines: linesOf(change, settings),
      subjects: Object.keys(change.values),
      state: stateOf(change),
    }));
  const done = new URL(args.request.url).searchParams.get('done');
  return {
    platform,
    settings,
    now,
    frame: {
      staff,
      outbox: hasOutbox(platform),
      version: sectionVersion(settings, section),
      history,
      done: doneWords.find((one) => one === done) ?? null,
    },
  };
}

export type SettingsFrame = Awaited<ReturnType<typeof openSection>>['frame'];
