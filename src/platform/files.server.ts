import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sealer } from './seal.server.ts';

export type StoredFile = { id: string; size: number; sha256: string };

/** Kept files, unreadable to whoever only sees the storage. A file never changes: a new content is a new file. */
export type Files = {
  /** Stores the bytes durably before it answers. `sha256` is of the plain bytes, in hexadecimal. */
  put(bytes: Uint8Array, about: { mediaType: string }): Promise<StoredFile>;
  /** The plain bytes and their media type, or nothing for an unknown id. */
  read(id: string): Promise<{ bytes: Buffer; mediaType: string } | undefined>;
  /** Removing what is not there is no error. */
  remove(id: string): Promise<void>;
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Sealed files in a folder, two letters of the id as sub-folder. Written beside, flushed, then renamed. */
export function filesInFolder(folder: string, sealer: Sealer): Files {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);

  return {
    async put(bytes, { mediaType }) {
      const id = randomUUID();
      const path = pathOf(id);
      const type = Buffer.from(mediaType, 'utf8');
      // Media type and content are sealed as one, so that neither can be exchanged.
      const sealed = sealer.seal(
        Buffer.concat([Buffer.from([type.length]), type, bytes]),
        `file:${id}`,
      );
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.part`, sealed, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      await flushFolder(dirname(path));
      return {
        id,
        size: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    },
    async read(id) {
      if (!ID.test(id)) return undefined;
      const sealed = await readFile(pathOf(id)).catch(absent);
      if (!sealed) return undefined;
      const plain = sealer.unseal(sealed, `file:${id}`);
      const start = 1 + (plain[0] ?? 0);
      return { bytes: plain.subarray(start), mediaType: plain.toString('utf8', 1, start) };
    },
    async remove(id) {
      if (ID.test(id)) await rm(pathOf(id), { force: true });
    },
  };
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** A rename survives a power cut only once its folder is flushed; not every platform can. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
