import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Bindings } from '../http/address.server.ts';
import type { Admission, Work } from './admission.server.ts';
import { registerSlot } from './release-slot.server.ts';
import { readToTheEnd } from './unread-body.server.ts';
import { hasSmallBody, workOf } from './work.server.ts';

/** An answer that was made beforehand: to refuse a request must cost next to nothing. */
export type BusyAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

export type ListenerOptions = {
  fetch: (request: Request, env: Bindings) => Response | Promise<Response>;
  /** Answers what needs no rendering and no database, and resolves to whether it did. */
  answerAtOnce?: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>;
  admission: Admission;
  /** The answer to a request that is refused. */
  busyAnswer: (incoming: IncomingMessage) => BusyAnswer;
  /** Whether the payment partners are simulated beside the service. */
  isSimulated: boolean;
};

/**
 * Answers HTTP requests by `fetch`, as many at a time as `admission` allows. It is decided by a request's head alone:
 * before its body is parsed, before anything is rendered.
 */
export function makeListener({
  fetch,
  answerAtOnce = async () => false,
  admission,
  busyAnswer,
  isSimulated,
}: ListenerOptions): RequestListener {
  // The adapter would cut connections whose body it has not read.
  const listen = getRequestListener(
    (request, env) => {
      if (!isHttp1(env)) throw new Error('HTTP/1.1 alone is served');
      return fetch(request, env);
    },
    { autoCleanupIncoming: false },
  );
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void listen(incoming, outgoing);

  return (incoming, outgoing) => {
    readToTheEnd(incoming, outgoing);
    answerAtOnce(incoming, outgoing).then(
      (isAnswered) => isAnswered || admit(incoming, outgoing),
      () => admit(incoming, outgoing),
    );
  };

  function admit(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const work = workOf(incoming, { isSimulated });
    if (work === null) return answer(incoming, outgoing);

    const refuse = () => {
      const { status, headers, body } = busyAnswer(incoming);
      outgoing.writeHead(status, headers);
      outgoing.end(incoming.method === 'HEAD' ? undefined : body);
    };
    const enter = (known: Work) => {
      if (outgoing.closed) return;
      const start = (leave: () => void) => {
        // The client disconnected before its turn came; `close` is not emitted again.
        if (outgoing.closed) return leave();
        outgoing.once('close', leave);
        registerSlot(outgoing, leave);
        answer(incoming, outgoing);
      };
      const giveUp = admission.enter(known, { start, refuse });
      outgoing.once('close', giveUp);
    };

    const isReceivedFirst = (work === 'write' || work === 'report') && hasSmallBody(incoming);
    if (!isReceivedFirst) return enter(work);
    if (!admission.hasRoom(work)) {
      admission.countRefused(work);
      return refuse();
    }
    receive(incoming, () => enter(work));
  }
}

const isHttp1 = (env: { incoming: unknown }): env is Bindings =>
  env.incoming instanceof IncomingMessage;

/** Calls back once a small body has arrived, and never where the client disconnects before. */
function receive(incoming: IncomingMessage, received: () => void) {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.once('error', () => undefined);
  incoming.once('end', () => {
    // The adapter takes a body from here.
    Object.assign(incoming, { rawBody: Buffer.concat(chunks) });
    received();
  });
}
