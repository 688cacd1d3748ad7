import { mkdir, open, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config/config-error.server.ts';
import { dataDirMistake } from '../config/data-dir.server.ts';
import type { FileStore } from './file-store.server.ts';
import { isFileId } from './files.server.ts';

/** A folder, two letters of the id as sub-folder. Written beside, flushed, then renamed. */
export function folderStore(folder: string): FileStore {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);

  return {
    name: folder,
    async write(id, sealed) {
      const path = pathOf(id);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.part`, sealed, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      await flushFolder(dirname(path));
    },
    read: (id) => readFile(pathOf(id)).catch(absent),
    remove: (id) => rm(pathOf(id), { force: true }),
    async *list() {
      const entries = await opendir(folder, { recursive: true }).catch(absent);
      for await (const entry of entries ?? []) {
        if (entry.isFile() && isFileId(entry.name)) yield entry.name;
      }
    },
    check: () => {
      const mistake = dataDirMistake(folder);
      return mistake ? Promise.reject(new ConfigError([mistake])) : Promise.resolve();
    },
    close: () => undefined,
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
