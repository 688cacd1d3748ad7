import { expect, it } from 'vitest';
import { acceptFirst } from './admission.server.ts';

/** Resolves once `connections` came, one in each turn of the loop, and no more: with how many had come by then. */
async function goesOnAfter(connections: number): Promise<number> {
  const { onConnection, whenAccepted } = acceptFirst();
  let came = 0;
  const accept = () => {
    if (came === connections) return;
    came++;
    onConnection();
    setImmediate(accept);
  };
  setImmediate(accept);
  await new Promise<void>((resolve) => whenAccepted(resolve));
  return came;
}

it('goes on when no connection waits', async () => {
  expect(await goesOnAfter(0)).toBe(0);
});

it('accepts those that wait first', async () => {
  expect(await goesOnAfter(20)).toBe(20);
});

it('goes on in the end, however many come', async () => {
  const came = await goesOnAfter(10_000);
  expect(came).toBeGreaterThan(50);
  expect(came).toBeLessThan(80);
});
