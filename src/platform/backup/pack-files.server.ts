import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract, pack, type Pack } from 'tar-stream';
import type { FileStore } from '../files/file-store.server.ts';
import { isFileId } from '../files/files.server.ts';
import { BackupError } from './backup-error.server.ts';

/** Files in memory at a time. */
const AT_ONCE = 4;

export type Packed = { count: number; bytes: number; absent: string[] };

/** Sealed files as one tar archive, named by their ids. `packed` counts, and names what the store does not have. */
export function packFiles(
  store: Pick<FileStore, 'read'>,
  ids: AsyncIterable<string>,
): { archive: Readable; packed: Packed } {
  const packed: Packed = { count: 0, bytes: 0, absent: [] };
  const archive = pack();
  const fill = async () => {
    for await (const { id, sealed } of readAhead(store, ids)) {
      if (!sealed) {
        packed.absent.push(id);
        continue;
      }
      await addEntry(archive, id, sealed);
      packed.count += 1;
      packed.bytes += sealed.length;
    }
    archive.finalize();
  };
  fill().catch((error: unknown) => archive.destroy(asError(error)));
  return { archive: Readable.from(archive, { objectMode: false }), packed };
}

function addEntry(archive: Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = archive.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.end(bytes);
  });
}

type Read = { id: string; sealed: Buffer | undefined };

/** In the order of the ids, a few read at a time. */
async function* readAhead(
  store: Pick<FileStore, 'read'>,
  ids: AsyncIterable<string>,
): AsyncGenerator<Read> {
  const running: Promise<Read>[] = [];
  for await (const id of ids) {
    const reading = store.read(id).then((sealed) => ({ id, sealed }));
    // Awaited below; one that fails meanwhile is not an unhandled rejection.
    reading.catch(() => undefined);
    running.push(reading);
    if (running.length < AT_ONCE) continue;
    const first = running.shift();
    if (first) yield await first;
  }
  for (const one of running) yield await one;
}

/**
 * Writes every file of an archive into a store.
 * @returns how many there were.
 * @throws BackupError where something else stands in it.
 */
export async function unpackFiles(
  archive: Readable,
  store: Pick<FileStore, 'write'>,
): Promise<number> {
  const entries = extract();
  archive.on('error', (error) => entries.destroy(error));
  archive.pipe(entries);
  let count = 0;
  let running: Promise<void>[] = [];
  try {
    for await (const entry of entries) {
      const { name } = entry.header;
      if (!isFileId(name)) throw new BackupError('The archive of files holds something else');
      const writing = store.write(name, await buffer(entry));
      writing.catch(() => undefined);
      running.push(writing);
      count += 1;
      if (running.length < AT_ONCE) continue;
      await Promise.all(running);
      running = [];
    }
    await Promise.all(running);
    return count;
  } catch (error) {
    archive.destroy();
    throw error;
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
