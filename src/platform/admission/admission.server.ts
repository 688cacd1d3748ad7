/**
 * What a request asks for, as far as its head tells. `payment`: partners and payers who come back from one; `file`: a
 * built file; `read`: a page or call that changes nothing; `write`: one that does, with a small body; `upload`: a large
 * body; `report`: reports that browsers send by themselves.
 */
export const works = ['payment', 'file', 'read', 'write', 'upload', 'report'] as const;
export type Work = (typeof works)[number];

export type Bound = {
  /** Requests that are worked on at a time. */
  atOnce: number;
  /** Requests that wait for one of those to end. */
  waiting: number;
};

export type AdmissionOptions = {
  bounds: Readonly<Record<Work, Bound>>;
  /** How long a request waits at most, in milliseconds. */
  waitMs: number;
  /** While the event loop is later than this, in milliseconds, nobody waits: what cannot begin at once is refused. */
  latestMs: number;
  /** How late the event loop is now, in milliseconds. */
  loopDelayMs: () => number;
  /** Calls back when no more connections wait to be accepted, soon in any case; by default in the loop's next turn. */
  whenAccepted?: (then: () => void) => void;
};

type Begin = {
  /** Called once, when the request may begin; `leave` is to be called when it has ended. */
  start: (leave: () => void) => void;
  /** Called instead where the request is refused, at once or after waiting. */
  refuse: () => void;
};

export type Admission = {
  /** Whether one more would begin or wait. */
  hasRoom(work: Work): boolean;
  /** The returned function takes the request out of the queue again, for a client that has disconnected. */
  enter(work: Work, begin: Begin): () => void;
  /** Counts a request that was refused without asking to enter. */
  countRefused(work: Work): void;
  /** Refused since the process began. */
  refused(): Record<Work, number>;
  /** Begun or waiting now. */
  present(): Record<Work, number>;
};

/** Limits the requests that are worked on by class, so that those that were begun end soon under any load. */
export function makeAdmission(options: AdmissionOptions): Admission {
  const rooms = byWork((work) => makeRoom(options.bounds[work], options));
  return {
    hasRoom: (work) => rooms[work].hasRoom(),
    enter: (work, begin) => rooms[work].enter(begin),
    countRefused: (work) => rooms[work].countRefused(),
    refused: () => byWork((work) => rooms[work].refused()),
    present: () => byWork((work) => rooms[work].present()),
  };
}

const byWork = <T>(make: (work: Work) => T): Record<Work, T> => ({
  payment: make('payment'),
  file: make('file'),
  read: make('read'),
  write: make('write'),
  upload: make('upload'),
  report: make('report'),
});

type Waiter = Begin & { timer: NodeJS.Timeout };

function makeRoom(
  { atOnce, waiting }: Bound,
  { waitMs, latestMs, loopDelayMs, whenAccepted = setImmediate }: Omit<AdmissionOptions, 'bounds'>,
) {
  const queue = new Set<Waiter>();
  let begun = 0;
  let refused = 0;

  const isFree = () => begun < atOnce;
  const mayWait = () => queue.size < waiting && loopDelayMs() <= latestMs;

  function leaveOnce(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      begun--;
      next();
    };
  }

  function next() {
    const [first] = queue;
    if (!first || !isFree()) return;
    remove(first);
    begun++;
    // Node reads sockets in between: health checks and refusals do not wait for the whole queue.
    whenAccepted(() => first.start(leaveOnce()));
  }

  function remove(waiter: Waiter) {
    queue.delete(waiter);
    clearTimeout(waiter.timer);
  }

  function wait(begin: Begin): () => void {
    const timer = setTimeout(() => {
      queue.delete(waiter);
      refused++;
      begin.refuse();
    }, waitMs);
    const waiter: Waiter = { ...begin, timer };
    queue.add(waiter);
    return () => remove(waiter);
  }

  return {
    hasRoom: () => isFree() || mayWait(),
    enter(begin: Begin): () => void {
      if (isFree()) {
        begun++;
        begin.start(leaveOnce());
      } else if (mayWait()) {
        return wait(begin);
      } else {
        refused++;
        begin.refuse();
      }
      return () => undefined;
    },
    countRefused: () => void refused++,
    refused: () => refused,
    present: () => begun + queue.size,
  };
}

/**
 * The bounds of each kind. Rendering a page takes the processor: few at a time are done as soon as many, and health
 * checks are answered in between. A change waits for the database most of its time (`npm run bench:overload`). Files
 * cost little and come many at a time; photos of a large body are decoded on threads of their own. Payments are bounded
 * only to limit memory. Reports are handled one after the other.
 */
export const workBounds = ({
  readsAtOnce,
  atOnce,
  waiting,
}: Bound & { readsAtOnce: number }): Readonly<Record<Work, Bound>> => ({
  payment: { atOnce: 8 * atOnce, waiting: 8 * waiting },
  file: { atOnce: 4 * atOnce, waiting: 4 * waiting },
  read: { atOnce: readsAtOnce, waiting },
  write: { atOnce, waiting },
  upload: { atOnce, waiting },
  report: { atOnce: 1, waiting },
});
