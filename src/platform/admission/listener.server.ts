import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { senderOf, type Bindings } from '../http/address.server.ts';
import { setReceived } from '../input/read-bytes.server.ts';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import type { Admission, Work } from './admission.server.ts';
import { exchangeBounds, makeExchanges, type Exchanges } from './exchanges.server.ts';
import { patience, receiveBody, type Patience } from './receive-body.server.ts';
import { readToTheEnd } from './unread-body.server.ts';
import { declaredLength, limitOf, mayCarryBody, workOf } from './work.server.ts';

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
  /** Whether the connections are a proxy's, which says whose requests it passes on. */
  trustProxy?: boolean;
  exchanges?: Exchanges;
  patience?: Patience;
};

/**
 * Answers HTTP requests by `fetch`, as many at a time as `admission` allows. A request counts as work from the moment at
 * which its body is there until its answer is made; how fast the client sends the one and takes the other is nobody
 * else's loss.
 */
export function makeListener({
  fetch,
  answerAtOnce = async () => false,
  admission,
  busyAnswer,
  isSimulated,
  trustProxy = false,
  exchanges = makeExchanges(exchangeBounds),
  patience: slow = patience,
}: ListenerOptions): RequestListener {
  /** What is to be called once the answer to a request is made. */
  const leaving = new WeakMap<ServerResponse, () => void>();
  // The adapter would cut connections whose body it has not read.
  const listen = getRequestListener(
    async (request, env) => {
      if (!isHttp1(env)) throw new Error('HTTP/1.1 alone is served');
      const { incoming, outgoing } = env;
      if ('rawBody' in incoming && incoming.rawBody instanceof Buffer) {
        setReceived(request, incoming.rawBody);
      }
      try {
        const response = await fetch(request, env);
        // What goes on for ever is sent now and then.
        if (!isEventStream(response)) outgoing.setTimeout(slow.takeMs);
        return response;
      } finally {
        leaving.get(outgoing)?.();
      }
    },
    { autoCleanupIncoming: false },
  );
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void listen(incoming, outgoing).finally(() => watchTaking(incoming, outgoing));

  return (incoming, outgoing) => {
    readToTheEnd(incoming, outgoing);
    answerAtOnce(incoming, outgoing).then(
      (isAnswered) => (isAnswered ? watchTaking(incoming, outgoing) : admit(incoming, outgoing)),
      () => admit(incoming, outgoing),
    );
  };

  /** Bounds what is left of an answer after all of it was sent: a connection, and bytes in memory. */
  function watchTaking(incoming: IncomingMessage, outgoing: ServerResponse) {
    const left = outgoing.writableLength;
    if (left === 0 || outgoing.closed) return;
    outgoing.setTimeout(slow.takeMs);
    const taking = exchanges.begin(senderOf(incoming, trustProxy), () => incoming.socket.destroy());
    taking.hold(left);
    outgoing.once('close', taking.end);
  }

  function admit(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const work = workOf(incoming, { isSimulated });
    if (work === null) return answer(incoming, outgoing);
    const address = senderOf(incoming, trustProxy);

    const refuse = () => {
      const { status, headers, body } = busyAnswer(incoming);
      outgoing.writeHead(status, headers);
      outgoing.end(incoming.method === 'HEAD' ? undefined : body);
      watchTaking(incoming, outgoing);
    };
    const refuseUncounted = () => {
      admission.countRefused(work);
      refuse();
    };
    const enter = (known: Work, left: () => void = () => undefined) => {
      if (outgoing.closed) return left();
      const start = (leave: () => void) => {
        // The client disconnected before its turn came; `close` is not emitted again.
        if (outgoing.closed) return leave();
        leaving.set(outgoing, leave);
        answer(incoming, outgoing);
      };
      const giveUp = admission.enter(known, {
        address,
        start: (leave) =>
          start(() => {
            left();
            leave();
          }),
        refuse: () => {
          left();
          refuse();
        },
      });
      outgoing.once('close', giveUp);
    };

    const limit = limitOf(incoming);
    // A body that is too large is refused unread.
    const isReceived = mayCarryBody(incoming.method) && (declaredLength(incoming) ?? 0) <= limit;
    if (!isReceived) return enter(work);
    if (!admission.hasRoom(work, address)) return refuseUncounted();
    const cut = () => {
      outgoing.shouldKeepAlive = false;
      refuseUncounted();
    };
    let stop = (): void => undefined;
    const exchange = exchanges.begin(address, () => {
      stop();
      cut();
    });
    outgoing.once('close', exchange.end);
    stop = receiveBody(incoming, {
      exchange,
      limit,
      patience: slow,
      received(bytes, release) {
        exchange.keep();
        enter(bytes > SMALL_BODY_BYTES && bytes <= limit ? 'upload' : work, () => {
          release();
          exchange.end();
        });
      },
      refuse() {
        exchange.end();
        cut();
      },
      giveUp() {
        exchange.end();
        outgoing.writeHead(408, { Connection: 'close', 'Content-Length': 0 }).end();
      },
    });
  }
}

const isHttp1 = (env: { incoming: unknown }): env is Bindings =>
  env.incoming instanceof IncomingMessage;

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;
