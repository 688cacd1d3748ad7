import { countedNetworks, senderAddress, type Bindings } from '../http/address.server.ts';
import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { setReceived, releaseBytes } from '../input/read-body.server.ts';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import type { Admission, RequestWork } from './admission.server.ts';
import { CSP_REPORT_PATH } from '../http/report-path.ts';
import { maxBodyBytes } from '../input/limit-body.server.ts';

/** A request whose body is still coming, or whose answer is still being taken. */
type Exchange = {
  /** Counts bytes in memory for it: received so far, or not taken yet. */
  hold(bytes: number): void;
  /** Its body is a large one: false where its address sends enough of them already. */
  becomeUpload(): boolean;
  /**
   * It is worked on: nobody cuts it any more, and what it holds counts until its end. Beside an upload that is worked on
   * others have as much less room, as what is read of it takes as much again.
   */
  keep(): void;
  end(): void;
};

export type Exchanges = {
  /** `cut`: ends the connection; called at most once, never after `end` or `keep`. */
  begin(address: string, cut: () => void): Exchange;
  /** How many there are, and their bytes. */
  present(): { count: number; bytes: number };
};

type ExchangeBounds = {
  /** Of one address. Many people may share one, behind a carrier's network. */
  byAddress: number;
  /** Large bodies that come from one address at a time. */
  uploadsByAddress: number;
  bytesByAddress: number;
  /** Of all addresses together. */
  bytes: number;
  /** An upload that has had this long, in milliseconds, gives way to the next of its address where it is the slowest. */
  uploadMs: number;
};

const MEGABYTE = 1024 * 1024;

const exchangeBounds: ExchangeBounds = {
  byAddress: 256,
  uploadsByAddress: 6,
  bytesByAddress: 32 * MEGABYTE,
  bytes: 64 * MEGABYTE,
  uploadMs: 10_000,
};

type Entry = {
  cut: () => void;
  began: number;
  bytes: number;
  isUpload: boolean;
  isKept: boolean;
};

type Entries = { all: Set<Entry>; bytes: number };

/**
 * Bounds what is neither worked on nor over: what slow senders and silent readers keep open costs a connection and its
 * bytes, never a place. Beyond a bound the oldest is cut, so that whoever comes next, behind the same address too, is
 * served: an honest exchange is over in a moment. `now`: in milliseconds.
 */
export function makeExchanges(bounds: ExchangeBounds, now = () => performance.now()): Exchanges {
  const everybody: Entries = { all: new Set(), bytes: 0 };
  const byAddress = new Map<string, Entries>();
  /** What was read of the uploads that are worked on takes as much again as they do. */
  let readBytes = 0;
  // Only uploads make room for it: a form takes next to nothing.
  const cutUploads = () => {
    while (everybody.bytes + readBytes > bounds.bytes && cutOldest(everybody, 1, true));
  };

  function begin(address: string, cut: () => void): Exchange {
    // An IPv6 address by its narrowest network.
    const [{ key } = { key: address }] = countedNetworks(address);
    const entry: Entry = { cut, began: now(), bytes: 0, isUpload: false, isKept: false };
    const own = byAddress.get(key) ?? { all: new Set<Entry>(), bytes: 0 };
    byAddress.set(key, own);
    own.all.add(entry);
    everybody.all.add(entry);

    function add(bytes: number) {
      entry.bytes += bytes;
      own.bytes += bytes;
      everybody.bytes += bytes;
    }
    function end() {
      if (!everybody.all.delete(entry)) return;
      own.all.delete(entry);
      if (entry.isUpload && entry.isKept) readBytes -= entry.bytes;
      add(-entry.bytes);
      if (own.all.size === 0) byAddress.delete(key);
    }
    entry.cut = () => {
      end();
      cut();
    };
    function hold(bytes: number) {
      if (!everybody.all.has(entry)) return;
      add(bytes);
      while (own.bytes > bounds.bytesByAddress && cutOldest(own, 1));
      while (everybody.bytes > bounds.bytes && cutOldest(everybody, 1));
      if (entry.isUpload) cutUploads();
    }
    if (own.all.size > bounds.byAddress) cutOldest(own, 0);
    return {
      end,
      keep() {
        if (entry.isKept) return;
        entry.isKept = true;
        if (!entry.isUpload) return;
        readBytes += entry.bytes;
        cutUploads();
      },
      hold,
      becomeUpload() {
        const uploads = [...own.all].filter(({ isUpload, isKept }) => isUpload && !isKept);
        entry.isUpload = true;
        if (uploads.length < bounds.uploadsByAddress) return true;
        const rate = ({ bytes, began }: Entry) => bytes / Math.max(1, now() - began);
        const slowest = uploads
          .filter(({ began }) => now() - began >= bounds.uploadMs)
          .reduce<Entry | null>((a, b) => (a && rate(a) <= rate(b) ? a : b), null);
        slowest?.cut();
        return slowest !== null;
      },
    };
  }

  /** Of those that hold so many bytes at least, or of the uploads among them; false where none can be cut. */
  function cutOldest({ all }: Entries, least: number, areUploads = false): boolean {
    for (const entry of all) {
      if (entry.isKept || entry.bytes < least || (areUploads && !entry.isUpload)) continue;
      entry.cut();
      return true;
    }
    return false;
  }

  return {
    begin,
    present: () => ({ count: everybody.all.size, bytes: everybody.bytes }),
  };
}

/** Asked by monitors and load balancers, which need them most under load; cheap, so never refused. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);

/** Partners' notifications and payers who return. */
const PAYMENT = /^\/api\/payment\/(return|notification)\//;

/**
 * Calls to the simulated partners. Where partners are not simulated, this address does not exist and has no precedence.
 */
const SIMULATED = /^\/lab\/(gateway|paypal|stripe)\//;

const FILE = /^\/assets\/|^\/[\w.-]+\.(svg|ico|png|txt|xml|webmanifest)$/;

/** Null: always answered. `isSimulated`: whether the payment partners are simulated beside the service. */
export function requestWork(
  { method, url = '/', headers }: IncomingMessage,
  { isSimulated }: { isSimulated: boolean },
): RequestWork | null {
  const path = pathOf(url);
  if (ALWAYS.has(path)) return null;
  if (PAYMENT.test(path) || (isSimulated && SIMULATED.test(path))) return 'payment';
  if (!mayCarryBody(method)) return FILE.test(path) ? 'file' : 'read';
  if (path === CSP_REPORT_PATH) return 'report';
  const length = declaredLength({ headers }) ?? 0;
  // One that is larger than its address takes is refused, which is little work.
  return length > SMALL_BODY_BYTES && length <= limitOf({ url, headers }) ? 'upload' : 'write';
}

const mayCarryBody = (method: string | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/** The length of a body as its head says it; null where it comes in chunks. */
const declaredLength = ({ headers }: Pick<IncomingMessage, 'headers'>): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

/** The largest body, in bytes, that this request may carry. */
const limitOf = ({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): number =>
  maxBodyBytes(pathOf(url), headers.cookie);

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** How slow a client may be, in milliseconds and bytes. */
type Patience = {
  /** A small body has arrived by then. */
  bodyMs: number;
  /** A large one may take its time for as long… */
  graceMs: number;
  /** …and then brings so many bytes… */
  bytes: number;
  /** …in each of these stretches. */
  everyMs: number;
  /** An answer of which nothing is taken for so long is over. */
  takeMs: number;
};

/** 8 KB a second is a quarter of what a telephone sends where it has no better network than that of 2003. */
const patience: Patience = {
  bodyMs: 60_000,
  graceMs: 30_000,
  bytes: 80 * 1024,
  everyMs: 10_000,
  takeMs: 30_000,
};

/** A large body grows by as much; Node reads no more than a sixteenth of it at once. */
const STEP_BYTES = 1024 * 1024;

type ReceiveOptions = {
  exchange: Exchange;
  /** In bytes. One more than that is received at most. */
  limit: number;
  patience: Patience;
  /**
   * The body is there; of one that is larger than the limit, enough to see that. `release` is to be called when nobody
   * uses it any more.
   */
  received: (bytes: number, release: () => void) => void;
  /** It is a large one, and its address sends enough of them already. */
  refuse: () => void;
  /** It comes too slowly. */
  giveUp: () => void;
};

/**
 * Receives a body before its request counts as work, so that a slow sender takes no place; the adapter takes it from
 * `rawBody`. Calls nothing back where the client disconnects before, nor after the returned function was called, which
 * lets go of what has come.
 */
function receiveBody(incoming: IncomingMessage, options: ReceiveOptions): () => void {
  const { exchange, limit, patience: slow } = options;
  const length = declaredLength(incoming) ?? 0;
  const isLarge = () => Math.max(length, bytes) > SMALL_BODY_BYTES;
  let chunks: Buffer[] = [];
  /**
   * A large body grows in one piece, which takes half of what its chunks and their sum would. A piece of its whole length
   * from the start would have the collector take as much garbage for normal.
   */
  let large: ArrayBuffer | null = null;
  let whole: Buffer<ArrayBuffer> | null = null;
  let bytes = 0;
  let seen = 0;
  let isUpload = false;
  let isOver = false;
  let timer = setTimeout(late, slow.bodyMs);

  function late() {
    stop();
    options.giveUp();
  }
  function check() {
    if (bytes - seen < slow.bytes) return late();
    seen = bytes;
    timer = setTimeout(check, slow.everyMs);
  }
  function end() {
    isOver = true;
    clearTimeout(timer);
    incoming.off('data', take);
    incoming.off('end', finish);
    chunks = [];
  }
  function stop() {
    end();
    release();
  }
  function release() {
    if (large && !large.detached) large.transfer(0);
    if (whole) releaseBytes(whole);
  }
  function finish() {
    large?.resize(bytes);
    whole = large && Buffer.from(large.transferToFixedLength());
    const rawBody = whole ?? (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    end();
    Object.assign(incoming, { rawBody });
    options.received(bytes, release);
  }
  function take(chunk: Buffer) {
    if (!large && bytes + chunk.length > SMALL_BODY_BYTES) {
      large = new ArrayBuffer(0, { maxByteLength: length || limit + STEP_BYTES });
      append(large, Buffer.concat(chunks), 0);
      chunks = [];
    }
    if (large) append(large, chunk, bytes);
    else chunks.push(chunk);
    bytes += chunk.length;
    exchange.hold(chunk.length);
    if (isOver) return;
    if (bytes > limit) {
      // The rest is read and thrown away once the request is answered.
      incoming.pause();
      return finish();
    }
    if (!isUpload && isLarge()) beginUpload();
  }
  function beginUpload() {
    isUpload = true;
    if (!exchange.becomeUpload()) {
      stop();
      return options.refuse();
    }
    clearTimeout(timer);
    timer = setTimeout(check, slow.graceMs);
  }

  incoming.on('data', take);
  incoming.once('end', finish);
  incoming.once('error', () => undefined);
  incoming.once('close', () => isOver || stop());
  if (isLarge()) beginUpload();
  return stop;
}

/** Writes a chunk behind the bytes that are there. */
function append(buffer: ArrayBuffer, chunk: Buffer, at: number): void {
  const end = at + chunk.length;
  if (end > buffer.byteLength) buffer.resize(Math.min(buffer.maxByteLength, end + STEP_BYTES));
  new Uint8Array(buffer).set(chunk, at);
}

/** In bytes, more than any body we accept; a client that goes on sending is disconnected. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;
const MAX_DRAINING_MS = 30_000;

/**
 * Reads what is left of a body after its request was answered, and throws it away. The next request on the connection
 * follows it; closing the connection instead would lose that request, or the answer that was just sent.
 */
function readToTheEnd(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (!incoming.complete) discard(incoming);
  });
}

function discard(incoming: IncomingMessage) {
  const { socket } = incoming;
  let bytes = 0;
  const cut = () => {
    // By then the connection may carry another request.
    if (!incoming.complete) socket.destroy();
  };
  const timer = setTimeout(cut, MAX_DRAINING_MS).unref();
  // A stream that the adapter made of the body, which nobody reads, would pause it again and again.
  incoming.removeAllListeners('data');
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) cut();
  });
  incoming.once('end', () => clearTimeout(timer));
  incoming.once('close', () => clearTimeout(timer));
  incoming.once('error', () => clearTimeout(timer));
  incoming.resume();
}

/** An answer that was made beforehand: to refuse a request must cost next to nothing. */
export type BusyAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

type ListenerOptions = {
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
    const taking = exchanges.begin(senderAddress(incoming, trustProxy), () =>
      incoming.socket.destroy(),
    );
    taking.hold(left);
    outgoing.once('close', taking.end);
  }

  function admit(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const work = requestWork(incoming, { isSimulated });
    if (work === null) return answer(incoming, outgoing);
    const address = senderAddress(incoming, trustProxy);

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
    const enter = (known: RequestWork, left: () => void = () => undefined) => {
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
