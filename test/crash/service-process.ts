import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from '~/platform/postgres/embedded/postgres-cluster.server.ts';
import { shutDown } from '~/platform/postgres/embedded/embedded-postgres.server.ts';
import { call } from './retrying-client.ts';

/** Recovering a database takes long on a busy machine. */
const START_DEADLINE_MS = 5 * 60_000;
/** Milliseconds for an ordinary stop. */
const END_MS = 45_000;

/** The built service with its embedded database, to be killed and started again. */
export class ServiceProcess {
  readonly address: string;
  readonly #dataDir: string;
  readonly #variables: Record<string, string>;
  readonly #port: number;
  /** Its output, kept beside its data when a fault was found. */
  readonly #log: number;
  #process: ChildProcess | undefined;
  #isOver = false;

  constructor(dataDir: string, port: number, variables: Record<string, string>) {
    this.#variables = variables;
    this.#dataDir = dataDir;
    this.#port = port;
    this.#log = openSync(join(dataDir, 'service.log'), 'a');
    this.address = `http://127.0.0.1:${port}`;
  }

  /** Whether the process started last is running. */
  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async start(): Promise<void> {
    if (this.#isOver) throw new Error('The run is over');
    const child = spawn(process.execPath, ['build/server/server.js'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(this.#port),
        DATA_DIR: this.#dataDir,
        GATEWAY_PROCESSING_MS: '0',
        LOG_LEVEL: 'error',
        TRUST_PROXY: 'yes',
        ...this.#variables,
      },
      stdio: ['ignore', this.#log, this.#log],
    });
    this.#process = child;
    await this.#untilReady(child);
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + START_DEADLINE_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) {
        const logEnd = readFileSync(join(this.#dataDir, 'service.log'), 'utf8').slice(-1000);
        throw new Error(`The service ended with ${child.exitCode}: ${logEnd}`);
      }
      const ready = await call(`${this.address}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await sleep(50);
    }
    throw new Error('The service did not become ready');
  }

  /** Sends SIGKILL. */
  async kill(target: 'service' | 'database'): Promise<void> {
    if (target === 'database') {
      const file = readFileSync(join(this.#dataDir, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
      return;
    }
    const child = this.#process;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts the service again if it has ended, and waits until it answers. */
  async revive(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) await this.start();
    else await this.#untilReady(child);
  }

  /** Stops the service, by force if it does not end, and a database that outlived it. Nothing starts afterwards. */
  async end(): Promise<void> {
    this.#isOver = true;
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const late = sleep(END_MS, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') {
        child.kill('SIGKILL');
        await ended;
      }
    }
    await shutDown({ cluster: join(this.#dataDir, 'postgres'), binaries: findPostgres() });
    closeSync(this.#log);
  }
}
