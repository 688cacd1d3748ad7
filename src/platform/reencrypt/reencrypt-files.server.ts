import { UnsealError, type Sealer } from '../crypto/crypto.server.ts';
import type { FileStore } from '../files/file-store.server.ts';
import type { Unopened } from './reencrypt-columns.server.ts';

const AT_ONCE = 8;

export type FilesReport = { all: number; stale: number; done: number; unopened: Unopened[] };

type FilesOptions = {
  store: FileStore;
  sealer: Pick<Sealer, 'seal' | 'unseal' | 'isStale'>;
  /** Every file that rows lead to. */
  ids: AsyncIterable<string>;
  /** Those of these files that a row refers to by now. */
  stillKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Counts only. */
  isCheck: boolean;
  onProgress: (done: number) => void;
};

/**
 * Seals every file with the newest key that is not, under its id: who reads it meanwhile gets the one or the other,
 * whole. A file that was removed with its row while it was written is removed again. A run that was interrupted is
 * repeated: what is sealed with the newest key is read and left.
 * @throws FilesUnavailable
 */
export async function reencryptFiles({
  store,
  sealer,
  ids,
  stillKnown,
  isCheck,
  onProgress,
}: FilesOptions): Promise<FilesReport> {
  const report: FilesReport = { all: 0, stale: 0, done: 0, unopened: [] };

  async function reencryptOne(id: string): Promise<void> {
    const sealed = await store.read(id);
    // What lacks is found by a backup.
    if (!sealed) return;
    report.all += 1;
    if (!sealer.isStale(sealed)) return;
    report.stale += 1;
    const context = `file:${id}`;
    let plain: Buffer;
    try {
      plain = sealer.unseal(sealed, context);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      report.unopened.push({ where: 'files', id });
      return;
    }
    if (isCheck) return;
    await store.write(id, sealer.seal(plain, context));
    if (!(await stillKnown([id])).has(id)) await store.remove(id);
    report.done += 1;
  }

  let running: Promise<void>[] = [];
  for await (const id of ids) {
    running.push(reencryptOne(id));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
    onProgress(report.done);
  }
  await Promise.all(running);
  onProgress(report.done);
  return report;
}
