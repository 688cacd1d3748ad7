/**
 * What a request asks for, as far as its head tells. `payment`: partners and payers who come back from one; `file`: a
 * built file; `read`: a page or call that changes nothing; `write`: one that does, with a small body; `upload`: a large
 * body; `report`: reports that browsers send by themselves.
 */
export const works = ['payment', 'file', 'read', 'write', 'upload', 'report'] as const;
export type RequestWork = (typeof works)[number];

export type WorkBound = {
  /** Requests that are worked on at a time. */
  atOnce: number;
  /** Requests that wait for one of those to end. */
  waiting: number;
};

type AdmissionOptions = {
  bounds: Readonly<Record<RequestWork, WorkBound>>;
  /** How long a request waits at most, in milliseconds. */
  waitMs: number;
  /** While the event loop is later than this, in milliseconds, nobody waits: what cannot begin at once is refused. */
  latestMs: number;
  /** How late the event loop is now, in milliseconds. */
  loopDelayMs: () => number;
  /** In milliseconds; only differences count. */
  now?: () => number;
  /** Calls back when no more connections wait to be accepted, soon in any case; by default in the loop's next turn. */
  whenAccepted?: (then: () => void) => void;
};

type Begin = {
  /** Whose request it is: where many wait, each address has its turn. */
  address: string;
  /** Called once, when the request may begin; `leave` is to be called when its answer is made. */
  start: (leave: () => void) => void;
  /** Called instead where the request is refused, at once or after waiting. */
  refuse: () => void;
};

export type Admission = {
  /** Whether one more of this address would begin or wait. */
  hasRoom(work: RequestWork, address: string): boolean;
  /** The returned function takes the request out of the queue again, for a client that has disconnected. */
  enter(work: RequestWork, begin: Begin): () => void;
  /** Counts a request that was refused without asking to enter. */
  countRefused(work: RequestWork): void;
  /** Refused since the process began. */
  refused(): Record<RequestWork, number>;
  /** Begun or waiting now. */
  present(): Record<RequestWork, number>;
  /**
   * Whether nobody is served: every place of a kind is taken and none was given back for `STUCK_MS`, or the event loop
   * is seconds late. It ends with the first that is done, so it comes and goes no faster than that.
   */
  isStuck(): boolean;
};

/** Ten times what the slowest page takes on a busy machine. */
const STUCK_MS = 10_000;
/** A health check would give up before it is answered. */
const STUCK_LOOP_MS = 2000;
/** Without them nobody can apply, pay or be told. */
const VITAL = ['payment', 'read', 'write'] as const satisfies readonly RequestWork[];

/** Limits the requests that are worked on by class, so that those that were begun end soon under any load. */
export function makeAdmission(options: AdmissionOptions): Admission {
  const rooms = byWork((work) => makeRoom(options.bounds[work], options));
  return {
    hasRoom: (work, address) => rooms[work].hasRoom(address),
    enter: (work, begin) => rooms[work].enter(begin),
    countRefused: (work) => rooms[work].countRefused(),
    refused: () => byWork((work) => rooms[work].refused()),
    present: () => byWork((work) => rooms[work].present()),
    isStuck: () =>
      options.loopDelayMs() > STUCK_LOOP_MS ||
      VITAL.some((work) => rooms[work].fullMs() > STUCK_MS),
  };
}

const byWork = <T>(make: (work: RequestWork) => T): Record<RequestWork, T> => ({
  payment: make('payment'),
  file: make('file'),
  read: make('read'),
  write: make('write'),
  upload: make('upload'),
  report: make('report'),
});

type Waiter = Begin & { timer: NodeJS.Timeout };

function makeRoom(
  { atOnce, waiting }: WorkBound,
  {
    waitMs,
    latestMs,
    loopDelayMs,
    whenAccepted = setImmediate,
    now = () => performance.now(),
  }: Omit<AdmissionOptions, 'bounds'>,
) {
  const queue = new Set<Waiter>();
  /** Of each address that has any. */
  const begunBy = new Map<string, number>();
  let begun = 0;
  let refused = 0;
  /** When the last one began or left. */
  let changed = now();

  const isFree = () => begun < atOnce;
  /** The waiter who gives way to somebody of this address: the last of the address that has most of the queue. */
  function displaced(address: string): Waiter | null {
    const lastOf = new Map<string, { count: number; waiter: Waiter }>();
    for (const waiter of queue) {
      const count = (lastOf.get(waiter.address)?.count ?? 0) + 1;
      lastOf.set(waiter.address, { count, waiter });
    }
    const own = lastOf.get(address)?.count ?? 0;
    const most = [...lastOf.values()].reduce((a, b) => (b.count > a.count ? b : a));
    return most.count > own + 1 ? most.waiter : null;
  }
  const mayWait = (address: string) =>
    waiting > 0 &&
    loopDelayMs() <= latestMs &&
    (queue.size < waiting || displaced(address) !== null);

  function start(begin: Begin) {
    const { address } = begin;
    let hasLeft = false;
    begin.start(() => {
      if (hasLeft) return;
      hasLeft = true;
      begun--;
      changed = now();
      const left = (begunBy.get(address) ?? 1) - 1;
      if (left === 0) begunBy.delete(address);
      else begunBy.set(address, left);
      next();
    });
  }

  function take({ address }: Begin) {
    begun++;
    changed = now();
    begunBy.set(address, (begunBy.get(address) ?? 0) + 1);
  }

  /** The first of those whose address has the fewest begun. */
  function next() {
    if (!isFree()) return;
    let first: Waiter | null = null;
    let fewest = Infinity;
    for (const waiter of queue) {
      const count = begunBy.get(waiter.address) ?? 0;
      if (count < fewest) [first, fewest] = [waiter, count];
    }
    if (!first) return;
    const chosen = first;
    remove(chosen);
    take(chosen);
    // Node reads sockets in between: health checks and refusals do not wait for the whole queue.
    whenAccepted(() => start(chosen));
  }

  function remove(waiter: Waiter) {
    queue.delete(waiter);
    clearTimeout(waiter.timer);
  }

  function refuse(begin: Begin) {
    refused++;
    begin.refuse();
  }

  function wait(begin: Begin): () => void {
    const last = queue.size < waiting ? null : displaced(begin.address);
    if (last) {
      remove(last);
      refuse(last);
    }
    const timer = setTimeout(() => {
      queue.delete(waiter);
      refuse(waiter);
    }, waitMs);
    const waiter: Waiter = { ...begin, timer };
    queue.add(waiter);
    return () => remove(waiter);
  }

  return {
    hasRoom: (address: string) => isFree() || mayWait(address),
    enter(begin: Begin): () => void {
      if (isFree()) {
        take(begin);
        start(begin);
      } else if (mayWait(begin.address)) {
        return wait(begin);
      } else {
        refuse(begin);
      }
      return () => undefined;
    },
    countRefused: () => void refused++,
    refused: () => refused,
    present: () => begun + queue.size,
    fullMs: () => (isFree() ? 0 : now() - changed),
  };
}

/**
 * The bounds of each kind. Rendering a page takes the processor: few at a time are done as soon as many, and health
 * checks are answered in between. A change waits for the database most of its time. Files
 * cost little and come many at a time; photos of a large body are decoded on threads of their own. Payments are bounded
 * only to limit memory. Reports are handled one after the other.
 */
export const workBounds = ({
  readsAtOnce,
  atOnce,
  waiting,
}: WorkBound & { readsAtOnce: number }): Readonly<Record<RequestWork, WorkBound>> => ({
  payment: { atOnce: 8 * atOnce, waiting: 8 * waiting },
  file: { atOnce: 4 * atOnce, waiting: 4 * waiting },
  read: { atOnce: readsAtOnce, waiting },
  write: { atOnce, waiting },
  upload: { atOnce, waiting },
  report: { atOnce: 1, waiting },
});

/** Turns of the loop that are waited for at most, however many connections still arrive. */
const MAX_TURNS = 64;

/**
 * Node accepts one connection in each turn of its loop. While every turn also renders a page, hundreds wait to be
 * accepted, health checks among them. So the next page is begun only after a turn in which no connection came.
 */
export function acceptFirst(): {
  onConnection: () => void;
  whenAccepted: (then: () => void) => void;
} {
  let connections = 0;
  return {
    onConnection: () => void connections++,
    whenAccepted(then) {
      let seen = connections;
      let turns = 0;
      const turn = () => {
        turns++;
        if (turns >= MAX_TURNS || (turns > 1 && connections === seen)) return then();
        seen = connections;
        setImmediate(turn);
      };
      setImmediate(turn);
    },
  };
}

const TICK_MS = 50;
/** How much the newest tick counts: what is answered is about the last half second. */
const WEIGHT = 0.1;

/**
 * How late timers fire, in milliseconds, smoothed so that one long task does not count as overload. Measures until the
 * process ends.
 */
export function watchLoopDelay(): () => number {
  let delay = 0;
  let due = performance.now() + TICK_MS;
  setInterval(() => {
    const now = performance.now();
    delay += WEIGHT * (Math.max(0, now - due) - delay);
    due = now + TICK_MS;
  }, TICK_MS).unref();
  return () => delay;
}
