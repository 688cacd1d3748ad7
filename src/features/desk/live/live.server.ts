import type { Language } from '~/base/languages.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findApplication } from '../records/detail.server.ts';
import { deskSignals } from './signals.server.ts';
import type { DeskSignals } from './signals.ts';
import { openCase, type OpenCase } from './open-case.server.ts';
import { listAt, openQueue, type OpenQueue } from './open-queue.server.ts';

/** What an open page of the desk is told about what it shows. */
export type LiveAnswer = {
  /** When it was so, in milliseconds since 1970. */
  at: number;
  signals: DeskSignals;
  /** Null for a page without the queue. */
  queue: OpenQueue | null;
  /** Null where none is open, and where nothing of it has changed. */
  opened: OpenCase | null;
};

/**
 * What changed while a page of the desk stood open. `query`: the address of the list, with `queue` where it is shown,
 * `number` of the open application and `mark` of what is shown of it. An application is sent, and its being seen written
 * into the audit trail, only where something of it changed.
 */
export async function liveAnswer(
  platform: Platform,
  staff: Staff,
  query: URLSearchParams,
  language: Language,
): Promise<LiveAnswer> {
  const at = platform.now();
  const number = query.get('number');
  const shown = async () => {
    const found = number === null ? null : await findApplication(platform.db, number);
    return found && openCase(platform, staff, found, language);
  };
  const [signals, queue, opened] = await Promise.all([
    deskSignals(platform.db, staff, platform.now()),
    query.has('queue') ? openQueue(platform, staff, listAt(platform, query).filter) : null,
    shown(),
  ]);
  const isNew = opened !== null && opened.mark !== query.get('mark');
  if (isNew) {
    await audit(platform.db, {
      at,
      staffId: staff.id,
      action: 'application_viewed',
      subject: { kind: 'application', id: opened.application.id },
    });
  }
  return { at: at.getTime(), signals, queue, opened: isNew ? opened : null };
}
