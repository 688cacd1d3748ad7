import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.server.ts';
import type { FileStore } from './file-store.server.ts';
import { folderStore } from './folder-store.server.ts';
import { s3Store } from './s3-store.server.ts';

/** Where this process keeps files: the bucket of `FILES_URL`, else a folder of this machine. */
export function openFileStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore {
  if (s3) return s3Store(s3);
  const folder = filesFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folderStore(folder);
}

/** Where files are kept without a bucket. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'files');
