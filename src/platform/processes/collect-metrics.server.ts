import { z } from 'zod';
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** What a process under a parent says to it. */
const fromChild = z.discriminatedUnion('type', [
  /** Somebody asked it for the metrics of all. */
  z.object({ type: z.literal('metrics_wanted'), id: z.number() }),
  /** Its own metrics, as the parent asked. */
  z.object({
    type: z.literal('own_metrics'),
    id: z.number(),
    metrics: z.array(z.looseObject({ name: z.string() })),
  }),
]);
type FromChild = z.infer<typeof fromChild>;

/** What a parent says to a process. */
export const fromParent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('own_metrics_wanted'), id: z.number() }),
  z.object({ type: z.literal('metrics'), id: z.number(), text: z.string() }),
  /** Another process has taken its place: it answers what it has begun, and ends. */
  z.object({ type: z.literal('retire') }),
]);
export type FromParent = z.infer<typeof fromParent>;

/** A process that has not answered by then is left out. */
const PATIENCE_MS = 2000;

/** In the parent: adds up what its processes count, whichever of them is asked for it. */
export function collectMetrics(children: () => readonly Worker[]): {
  heard(worker: Worker, message: unknown): void;
} {
  let asked = 0;
  const waiting = new Map<number, (metrics: object[]) => void>();

  async function ask(worker: Worker): Promise<object[]> {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<object[]>();
    waiting.set(id, resolve);
    send(worker, { type: 'own_metrics_wanted', id });
    const late = sleep(PATIENCE_MS, [], { ref: false });
    return Promise.race([promise, late]).finally(() => waiting.delete(id));
  }

  async function answer(worker: Worker, id: number): Promise<void> {
    const all = await Promise.all(children().map(ask));
    const text = await AggregatorRegistry.aggregate(all).metrics();
    send(worker, { type: 'metrics', id, text });
  }

  return {
    heard(worker, message) {
      const { data } = fromChild.safeParse(message);
      if (data?.type === 'own_metrics') waiting.get(data.id)?.(data.metrics);
      if (data?.type === 'metrics_wanted') void answer(worker, data.id);
    },
  };
}

function send(worker: Worker, message: FromParent): void {
  // A process that is ending has closed its channel.
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined);
}

/** The metrics of this process, or of all where it is one of several under a parent. */
export function makeMetricsReader(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  let asked = 0;
  const waiting = new Map<number, (text: string) => void>();
  const say = (message: FromChild) => void process.send?.(message);
  process.on('message', (message) => {
    const { data } = fromParent.safeParse(message);
    if (data?.type === 'metrics') waiting.get(data.id)?.(data.text);
    if (data?.type !== 'own_metrics_wanted') return;
    void registry.getMetricsAsJSON().then(
      (metrics) =>
        say({ type: 'own_metrics', id: data.id, metrics: metrics.map((one) => ({ ...one })) }),
      () => undefined,
    );
  });
  return async () => {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(id, resolve);
    say({ type: 'metrics_wanted', id });
    const alone = sleep(PATIENCE_MS * 2, null, { ref: false });
    const text = await Promise.race([promise, alone]).finally(() => waiting.delete(id));
    return text ?? registry.metrics();
  };
}
