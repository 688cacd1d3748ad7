/**
 * Fails the run where a transaction asks a second query before the first is answered: its connection answers one after
 * the other, and version 9 of `pg` will refuse it. `pg` warns once in a process; graphile-worker does it itself where its
 * connection was cut.
 */
const IS_WATCHED = Symbol.for('lale.one-query-at-a-time');

// Every test file of a process loads this.
if (!Object.hasOwn(globalThis, IS_WATCHED)) {
  Object.defineProperty(globalThis, IS_WATCHED, { value: true });
  process.on('warning', (warning) => {
    const isOurs = !warning.stack?.includes('/graphile-worker/');
    if (isOurs && warning.message.includes('already executing a query')) throw warning;
  });
}
