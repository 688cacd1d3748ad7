import { z } from 'zod';

/** What a process under a parent says to it. */
export const fromChild = z.discriminatedUnion('type', [
  /** Somebody asked it for the metrics of all. */
  z.object({ type: z.literal('metrics_wanted'), id: z.number() }),
  /** Its own metrics, as the parent asked. */
  z.object({
    type: z.literal('own_metrics'),
    id: z.number(),
    metrics: z.array(z.looseObject({ name: z.string() })),
  }),
]);
export type FromChild = z.infer<typeof fromChild>;

/** What a parent says to a process. */
export const fromParent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('own_metrics_wanted'), id: z.number() }),
  z.object({ type: z.literal('metrics'), id: z.number(), text: z.string() }),
  /** Another process has taken its place: it answers what it has begun, and ends. */
  z.object({ type: z.literal('retire') }),
]);
export type FromParent = z.infer<typeof fromParent>;
