import type { Log } from './log.server.ts';

export type PostgresOptions = {
  /** Folder of the cluster; made when missing. */
  dataDir: string;
  log: Log;
  /** Server settings on top of the defaults, as `name: value`. */
  settings?: Readonly<Record<string, string>>;
};

export type RunningPostgres = {
  url: string;
  /** Whether it was already running. */
  adopted: boolean;
  stop(): Promise<void>;
};

export async function startPostgres(_options: PostgresOptions): Promise<RunningPostgres> {
  throw new Error('not yet');
}
