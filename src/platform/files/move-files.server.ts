import type { FileStore } from './file-store.server.ts';
import { sealedFiles } from './files.server.ts';
import { UnsealError } from '../crypto/crypto.server.ts';
import type { Sealer } from '../crypto/seal.server.ts';

/** A file that rows lead to, with what they know of its bytes. */
export type KnownFile = {
  id: string;
  size: number;
  /** Whether these are its bytes, where a row holds their hash. */
  holds?: (bytes: Buffer) => boolean;
};

export type MoveFinding = {
  id: string;
  /**
   * `missing`: in neither place. `damaged`: does not open, in the source or in what was read back. `differs`: opens, but
   * is not what the database knows.
   */
  kind: 'missing' | 'damaged' | 'differs';
};

export type MoveReport = {
  copied: number;
  /** Was whole in the target before: after an earlier run, or stored there since. */
  alreadyThere: number;
  /** Of both: no row leads to them. Uploads on their way, and what a crash left. */
  unreferenced: number;
  /** Taken out of the source after the check. */
  removed: number;
  findings: MoveFinding[];
};

export type MoveOptions = {
  from: FileStore;
  to: FileStore;
  sealer: Sealer;
  /** Every file that rows lead to, in any order. */
  known: AsyncIterable<KnownFile>;
  /** Takes a file out of the source once it was found whole in the target. */
  removeSource: boolean;
  onProgress?: (done: number) => void;
};

const AT_ONCE = 8;

/**
 * Copies every file as it is sealed, reads each back from the target, opens it and compares it with the database. What
 * is whole in the target already is checked in the same way and not written again, so a run that was interrupted is
 * repeated. What is found wrong is left as it is in the source.
 * @throws FilesUnavailable where one of the two does not answer.
 */
export async function moveFiles(options: MoveOptions): Promise<MoveReport> {
  const { from, to, sealer, known, removeSource, onProgress } = options;
  const report: MoveReport = {
    copied: 0,
    alreadyThere: 0,
    unreferenced: 0,
    removed: 0,
    findings: [],
  };
  const seen = new Set<string>();
  const opening = { from: sealedFiles(from, sealer), to: sealedFiles(to, sealer) };

  /** The plain bytes; null where they do not open. */
  async function open(place: 'from' | 'to', id: string): Promise<Buffer | null | undefined> {
    try {
      return (await opening[place].read(id))?.bytes;
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }

  const isAsKnown = (bytes: Buffer, file: KnownFile | undefined) =>
    !file || (bytes.length === file.size && (file.holds?.(bytes) ?? true));

  async function moveOne(id: string, file: KnownFile | undefined): Promise<void> {
    const find = (kind: MoveFinding['kind']) => void report.findings.push({ id, kind });
    let there = await open('to', id);
    const wasThere = Boolean(there && isAsKnown(there, file));
    if (!wasThere) {
      const here = await open('from', id);
      if (here === undefined && there === undefined) return file && find('missing');
      if (!here) return find('damaged');
      if (!isAsKnown(here, file)) return find('differs');
      const sealed = await from.read(id);
      // Removed by the service meanwhile.
      if (!sealed) return;
      await to.write(id, sealed);
      there = await open('to', id);
      if (!there?.equals(here)) return find('damaged');
    }
    report[wasThere ? 'alreadyThere' : 'copied']++;
    if (!file) report.unreferenced++;
    if (removeSource) {
      await from.remove(id);
      report.removed++;
    }
  }

  async function moveAll(files: AsyncIterable<{ id: string; file?: KnownFile }>) {
    let running: Promise<void>[] = [];
    for await (const { id, file } of files) {
      if (seen.has(id)) continue;
      seen.add(id);
      running.push(moveOne(id, file));
      if (running.length < AT_ONCE) continue;
      await Promise.all(running);
      running = [];
      onProgress?.(seen.size);
    }
    await Promise.all(running);
    onProgress?.(seen.size);
  }

  await moveAll(withIds(known));
  // What no row leads to, and what was stored while we were at it.
  await moveAll(listed(from));
  return report;
}

async function* withIds(known: AsyncIterable<KnownFile>) {
  for await (const file of known) yield { id: file.id, file };
}

async function* listed(store: FileStore) {
  for await (const id of store.list()) yield { id };
}

/** For people: counts first, then each file that is not as it should be. */
export function moveReportLines(report: MoveReport): string[] {
  const { copied, alreadyThere, unreferenced, removed, findings } = report;
  return [
    `${copied} copied, ${alreadyThere} already there, all read back and opened; ${unreferenced} of them belong to no row; ${removed} removed from the source.`,
    ...findings.map(({ id, kind }) => `${kind}: ${id}`),
    findings.length === 0
      ? 'Nothing is missing and nothing differs.'
      : `${findings.length} files are not as they should be; the source was left as it was for them.`,
  ];
}
