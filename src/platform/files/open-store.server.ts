import { mkdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import type { Config } from '../config/config.server.ts';
import type { FileStore } from './file-store.server.ts';
import { s3Store } from './s3-store.server.ts';
import { mkdir, open, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ConfigError } from '../config/config-error.server.ts';
import { dataDirMistake } from '../config/config-files.server.ts';
import { isFileId } from './files.server.ts';

/** Where this process keeps files: the bucket of `FILES_URL`, else a folder of this machine. */
export function openFileStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore {
  if (s3) return s3Store(s3);
  const folder = filesFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folderStore(folder);
}

/** Where files are kept without a bucket. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'files');

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
