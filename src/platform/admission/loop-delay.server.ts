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
