import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/log.server.ts';
import type { Ending } from './process.server.ts';

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
): (ending: Ending) => Promise<void> {
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
