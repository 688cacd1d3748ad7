import { listAccounts } from '~/features/staff/account-store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import type { StaffAction } from '~/features/staff/roles.ts';
import {
  type Change,
  type Section,
  type Settings,
  replacedAt,
} from '~/features/settings/change.ts';
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

/** What a decision says of a subject, and the moment until which that was in force; null where nothing replaced it. */
type PastLine = { text: string; until: number | null };

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
  lines: readonly PastLine[];
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
  const untilOf = (change: Change, subject: string) =>
    change.withdrawn ? null : (replacedAt(settings, change, subject, now)?.getTime() ?? null);
  /** The lines in their order, each with the end of the subject that it is about. */
  const pastLinesOf = (change: Change): PastLine[] => {
    const bySubject = Object.entries(change.values).flatMap(([subject, value]) => {
      const until = untilOf(change, subject);
      return linesOf({ ...change, values: { [subject]: value } }, settings).map((text) => ({
        text,
        until,
      }));
    });
    return linesOf(change, settings).map((text) => {
      const at = bySubject.findIndex((line) => line.text === text);
      const [line] = at < 0 ? [] : bySubject.splice(at, 1);
      return line ?? { text, until: null };
    });
  };
  /** Of the lines that are shown: a decision about several countries has ended for one of them where its lines have. */
  const stateOf = (change: Change, lines: readonly PastLine[]): PastChange['state'] => {
    if (change.withdrawn) return 'withdrawn';
    if (change.validFrom > now) return 'planned';
    return lines.every(({ until }) => until !== null) ? 'superseded' : 'in_force';
  };
  const history = settings.changes
    .filter((change) => change.section === section && isShown(change))
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime() || b.id - a.id)
    .map((change) => ({ change, lines: pastLinesOf(change) }))
    .map(({ change, lines }): PastChange => ({
      id: change.id,
      validFrom: change.validFrom.getTime() === 0 ? null : change.validFrom.getTime(),
      decidedAt: change.createdAt.getTime(),
      who: change.staffId === null ? null : (names.get(change.staffId) ?? change.staffId),
      confirmedBy:
        change.confirmedBy === null ? null : (names.get(change.confirmedBy) ?? change.confirmedBy),
      alone: change.alone,
      reason: change.reason,
      lines,
      subjects: Object.keys(change.values),
      state: stateOf(change, lines),
    }));
  const done = new URL(args.request.url).searchParams.get('done');
  return {
    platform,
    staff,
    settings,
    now,
    frame: {
      version: sectionVersion(settings, section),
      history,
      done: doneWords.find((one) => one === done) ?? null,
    },
  };
}

export type SettingsFrame = Awaited<ReturnType<typeof openSection>>['frame'];
