import cluster from 'node:cluster';
import { readConfig, ConfigError, type Config } from '../config/config.server.ts';
import { describeError, type Log } from '../log/log.server.ts';
import { fromParent } from './collect-metrics.server.ts';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How a process is to end. `at once`: stopped from a terminal (Ctrl-C). `leave`: it first says that it is not ready, so
 * that requests are sent to other processes. `retire`: another process of the same parent has taken its place already.
 */
export type ProcessEnding = 'at once' | 'leave' | 'retire';

export type RunningProcess = {
  /** Finishes what is in flight, then closes everything. */
  stop(ending: ProcessEnding): Promise<void>;
  /** Resolves when it cannot go on: it is stopped then, and the process ends with 1. */
  failed?: Promise<string>;
};

/** The reason has been printed already; the process ends with this code. */
export class EndWith extends Error {
  override name = 'EndWith';
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`ends with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Longer than answers, jobs and a parent's processes take to end, on top of the configured grace. */
const STOP_DEADLINE_MS = 75_000;

type Stop = { why: string; ending: ProcessEnding };

/**
 * The life of a process: reads the configuration, starts, and stops on SIGINT or SIGTERM, also when one arrives
 * while it is still starting. What the operator has to put right is printed as one message, with exit code 78.
 */
export async function runProcess(
  start: (config: Config) => Promise<RunningProcess>,
): Promise<void> {
  const stopRequested = Promise.withResolvers<Stop>();
  // A terminal sends Ctrl-C to npm as well, which passes it on: the second signal is ignored.
  process.on('SIGINT', () => stopRequested.resolve({ why: 'SIGINT', ending: 'at once' }));
  process.on('SIGTERM', () => stopRequested.resolve({ why: 'SIGTERM', ending: 'leave' }));
  // A parent of several processes restarts them at this; it would end a single one.
  process.on('SIGUSR2', () => undefined);
  if (cluster.isWorker) {
    process.on('message', (message) => {
      if (fromParent.safeParse(message).data?.type !== 'retire') return;
      stopRequested.resolve({ why: 'replaced', ending: 'retire' });
    });
  }
  process.on('unhandledRejection', (reason) => {
    printError('unhandled rejection', reason);
    process.exitCode = 1;
    stopRequested.resolve({ why: 'an unhandled rejection', ending: 'leave' });
  });

  let config: Config;
  let running: RunningProcess;
  try {
    config = readConfig(process.env);
    running = await start(config);
  } catch (error) {
    if (error instanceof EndWith) process.exit(error.exitCode);
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else printError('start failed', error);
    process.exit(error instanceof ConfigError ? error.exitCode : 1);
  }
  const { why, ending } = await Promise.race([stopRequested.promise, failureOf(running)]);
  say(`Stopping (${why}).`);
  const deadline = STOP_DEADLINE_MS + config.drainGraceMs;
  setTimeout(() => {
    process.stderr.write(`Not everything ended within ${deadline / 1000} s.\n`);
    process.exit(1);
  }, deadline).unref();
  try {
    await running.stop(ending);
    say('Stopped.');
  } catch (error) {
    printError('stop failed', error);
    process.exitCode = 1;
  }
  process.exit();
}

/** Resolves when the process cannot go on, otherwise never. */
async function failureOf({
  failed = new Promise<never>(() => undefined),
}: RunningProcess): Promise<Stop> {
  const why = await failed;
  process.exitCode = 1;
  return { why, ending: 'at once' };
}

/** Printed by a parent, or a single process; the processes of a parent print nothing. */
function say(line: string): void {
  if (!cluster.isWorker) process.stdout.write(`${line}\n`);
}

function printError(what: string, error: unknown): void {
  process.stderr.write(
    `${JSON.stringify({ level: 'fatal', msg: what, err: describeError(error) })}\n`,
  );
}

/** Node closes a connection without a request after `keepAliveTimeout` and a second; what is left then never asked. */
const IDLE_MS = 7000;
/** An answer that takes longer is cut. */
const ANSWER_MS = 30_000;

export type DrainOptions = {
  /** How long a process that leaves says that it is not ready before it takes no more connections. */
  graceMs: number;
  log: Log;
  /** Called when no connection is accepted any more: ends answers that would go on for ever. */
  endStreams?: () => void;
  idleMs?: number;
  answerMs?: number;
};

/**
 * Lets a server answer by `answer`, and end without cutting anybody off. The returned function resolves once no
 * connection is left. A process that leaves says so at `/readyz` first, and takes requests as before for `graceMs`.
 * Then no connection is accepted any more. One that a client keeps for its next request must not be closed while
 * that may be on its way: the next answer says `Connection: close`, or Node closes it when none comes.
 */
export function answerUntilDrained(
  server: Server,
  answer: RequestListener,
  { graceMs, log, endStreams, idleMs = IDLE_MS, answerMs = ANSWER_MS }: DrainOptions,
): (ending: ProcessEnding) => Promise<void> {
  let isReady = true;
  let isClosing = false;
  const answering = new Set<ServerResponse>();
  const sockets = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (incoming, outgoing) => {
    answering.add(outgoing);
    outgoing.once('close', () => answering.delete(outgoing));
    if (isClosing) outgoing.shouldKeepAlive = false;
    if (isReady || incoming.url?.split('?')[0] !== '/readyz') return answer(incoming, outgoing);
    incoming.resume();
    outgoing.writeHead(503, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
    outgoing.end('ending');
  });

  return async (ending) => {
    if (ending === 'leave') {
      isReady = false;
      await sleep(graceMs);
    }
    isClosing = true;
    for (const one of answering) if (!one.headersSent) one.shouldKeepAlive = false;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.once('close', () => resolve());
    endStreams?.();
    // The server's own `close` would also close connections that are idle just now.
    if (ending === 'at once') server.close();
    else NetServer.prototype.close.call(server);

    const idle = setTimeout(() => closeIdle(server, sockets), ending === 'at once' ? 0 : idleMs);
    const late = setTimeout(() => {
      log.warn({ answers: answering.size }, 'answers were cut: they took too long to wait for');
      server.closeAllConnections();
    }, answerMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(late);
  };
}

function closeIdle(server: Server, sockets: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  // Opened ahead by a browser, and never used.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
