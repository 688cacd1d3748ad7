import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_DEADLINE_MS = 2 * 60_000;
/** Milliseconds; longer than the process's own limit. */
const STOP_DEADLINE_MS = 80_000;

type MemberOptions = {
  kind: 'web' | 'worker';
  name: string;
  port: number;
  /** File for its output. */
  logs: string;
  variables: Record<string, string>;
  /** Whether requests reach it. */
  isReady: (port: number) => boolean;
};

/** One process of the cluster: started from a release, stopped, killed, started again. */
export class Member {
  readonly name: string;
  readonly port: number;
  readonly #options: MemberOptions;
  readonly #logFile: string;
  #child: ChildProcess | undefined;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
    this.#logFile = join(options.logs, `${options.name}.log`);
  }

  /** Resolves once it takes requests, or jobs. */
  async start(release: string): Promise<void> {
    const { kind, variables, isReady } = this.#options;
    const entry = kind === 'web' ? 'server.js' : 'worker.js';
    const log = openSync(this.#logFile, 'a');
    const before = readFileSync(this.#logFile, 'utf8').length;
    const child = spawn(process.execPath, [join(release, 'build', 'server', entry)], {
      cwd: release,
      env: { ...process.env, NODE_ENV: 'production', PORT: String(this.port), ...variables },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    const printed = () => readFileSync(this.#logFile, 'utf8').slice(before);
    const deadline = Date.now() + START_DEADLINE_MS;
    while (Date.now() < deadline) {
      if (!this.isRunning) throw new Error(`${this.name} ended: ${printed().slice(-1000)}`);
      if (kind === 'web' ? isReady(this.port) : printed().includes('works on jobs')) return;
      await sleep(50);
    }
    throw new Error(`${this.name} did not become ready`);
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Sends SIGTERM; returns its exit code, or what had to be done. */
  async stop(): Promise<string> {
    const child = this.#child;
    if (!child || !this.isRunning) return 'was gone';
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = sleep(STOP_DEADLINE_MS, 'late', { ref: false });
    if ((await Promise.race([ended, late])) === 'late') {
      await this.kill();
      return 'had to be killed';
    }
    return String(child.exitCode ?? child.signalCode);
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
