import { once } from 'node:events';
import {
  Agent,
  createServer,
  get,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Milliseconds between two checks of `/readyz`; the processes' grace period must be longer. */
const CHECK_MS = 100;
/** A busy machine answers late. */
const CHECK_PATIENCE_MS = 3000;

type Backend = {
  port: number;
  isReady: boolean;
  isAsked: boolean;
  agent: Agent;
  answered: number;
};

/** A failed request: `cut` after it may have been sent, `nobody` was ready, or a status of 500 or above. */
type Failure = { at: number; what: string; why: string };

/**
 * A small load balancer: checks which backends are ready, sends requests to them in turn over kept connections, and
 * repeats a request elsewhere only where it was certainly not sent. It records what it could not answer.
 */
export class Proxy {
  readonly failures: Failure[] = [];
  /** Requests that found a closed port and went to another backend. */
  retried = 0;
  /** Requests refused with 503 and `Retry-After` because of overload. */
  busy = 0;
  answered = 0;
  readonly #backends: Backend[];
  readonly #server: Server;
  readonly #checks: NodeJS.Timeout;
  #turn = 0;

  constructor(ports: readonly number[]) {
    this.#backends = ports.map((port) => ({
      port,
      isReady: false,
      isAsked: false,
      agent: new Agent({ keepAlive: true }),
      answered: 0,
    }));
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.#checks = setInterval(() => {
      for (const backend of this.#backends) check(backend);
    }, CHECK_MS);
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  isReady(port: number): boolean {
    return this.#backends.some((backend) => backend.port === port && backend.isReady);
  }

  /** Requests that this backend has answered. */
  answeredBy(port: number): number {
    return this.#backends.find((backend) => backend.port === port)?.answered ?? 0;
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const { agent } of this.#backends) agent.destroy();
    await closed;
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const what = `${incoming.method} ${new URL(incoming.url ?? '/', 'http://x').pathname}`;
    const fail = (why: string) => {
      this.failures.push({ at: Date.now(), what, why });
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    try {
      const body = await buffer(incoming);
      this.#turn++;
      const ready = this.#backends.filter(({ isReady }) => isReady);
      for (const [index] of ready.entries()) {
        const backend = ready[(index + this.#turn) % ready.length];
        if (!backend) continue;
        const answer = await send(backend, incoming, body);
        if (answer === 'not sent') {
          this.retried++;
          continue;
        }
        const { statusCode = 502, headers } = answer;
        const isBusy = statusCode === 503 && headers['retry-after'] !== undefined;
        if (isBusy) this.busy++;
        else if (statusCode >= 500) {
          this.failures.push({ at: Date.now(), what, why: `answered ${statusCode}` });
        }
        outgoing.writeHead(statusCode, withoutHops(headers));
        const whole = await buffer(answer);
        this.answered++;
        backend.answered++;
        return void outgoing.end(whole);
      }
      fail('nobody was ready');
    } catch (error) {
      // A visitor who disconnects is no failure.
      if (!outgoing.destroyed)
        fail(`cut: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** One check at a time, so that a late answer does not replace a newer one. */
function check(backend: Backend): void {
  const { port, agent } = backend;
  if (backend.isAsked) return;
  backend.isAsked = true;
  const settle = (isReady: boolean) => {
    backend.isAsked = false;
    if (backend.isReady && !isReady) {
      // Idle connections are closed; those in use finish.
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) socket.destroy();
      }
    }
    backend.isReady = isReady;
  };
  const asked = get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (answer) => {
    answer.resume();
    settle(answer.statusCode === 200);
  });
  asked.setTimeout(CHECK_PATIENCE_MS, () => asked.destroy());
  asked.on('error', () => settle(false));
}

/**
 * Sends a request to a backend.
 * @throws Error where it may have been sent and no answer came.
 */
async function send(
  { port, agent }: Backend,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage | 'not sent'> {
  const { url: path, method } = incoming;
  const headers = withoutHops(incoming.headers);
  if (body.length > 0) headers['content-length'] = String(body.length);
  const asked = request({ port, host: '127.0.0.1', path, method, headers, agent });
  asked.end(body);
  try {
    const [answer] = await once(asked, 'response');
    return answer;
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    if (isRefused) return 'not sent';
    const why = error instanceof Error ? error.message : String(error);
    const connection = asked.reusedSocket ? 'a kept connection' : 'a new connection';
    throw new Error(`${why} on ${connection} to ${port}`, { cause: error });
  }
}

const HOPS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

const withoutHops = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOPS.has(name)));
