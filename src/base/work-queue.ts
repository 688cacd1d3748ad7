/** Thrown when as many calls wait as the queue takes. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/**
 * Runs heavy work a few at a time; the other calls wait for their turn, `waiting` of them at most.
 * @throws QueueFull at once, where that many wait
 */
export function workQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let working = 0;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (working >= atOnce) {
      if (queue.length >= waiting) throw new QueueFull(`${waiting} wait already`);
      // Resolved by the work that ends next, whose place it takes.
      await new Promise<void>((go) => queue.push(go));
    } else working += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
