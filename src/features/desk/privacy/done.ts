import type { CodeIn } from '~/base/text-keys.ts';

const dones = [
  'opened',
  'identity',
  'extend',
  'erase',
  'close',
  'place',
  'lift',
] as const satisfies readonly CodeIn<'privacy', 'done'>[];

/** What was done just before, by `?done=`. */
export function doneFrom(request: Request): (typeof dones)[number] | null {
  const named = new URL(request.url).searchParams.get('done');
  return dones.find((one) => one === named) ?? null;
}
