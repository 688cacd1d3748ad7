import { isNewAdministrator } from '~/features/staff/accounts/accounts.server.ts';
import type { Outcome } from '~/base/outcome.ts';
import {
  confirmProposal,
  declineProposal,
  withdrawProposal,
  type ProposeError,
} from '~/features/settings/propose.server.ts';
import type { Section } from '~/features/settings/change.ts';
import type { Fits, Trace } from '~/features/settings/decide.server.ts';
import type { AuditAction } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { LONGEST_REASON, type SettingsProblem, type TypedSettings } from './typed-settings.ts';

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
