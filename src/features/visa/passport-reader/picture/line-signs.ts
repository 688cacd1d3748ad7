import { BLANK, CLASSES, type Steps } from './network.ts';

/** Where a line's first character stands, in steps, and how far apart they are; `stretch`: how much further behind it than before it. */
export type Grid = { readonly start: number; readonly pitch: number; readonly bend: number };

const stepAt = ({ start, pitch, bend }: Grid, place: number): number =>
  start + pitch * place + bend * place * place;

/** A character may stand so many steps beside its place. */
const REACH = 3;

/**
 * How probable each sign is at each place of a line that has exactly these places, one behind the other, given what may
 * stand there: the sum over all ways to spread the line over the steps (forward and backward, as in connectionist
 * temporal classification). All 0 where the line cannot have them.
 */
export function readSigns(
  steps: Steps,
  grid: Grid,
  allowed: readonly (readonly number[])[],
): Float64Array {
  const places = allowed.length;
  const signs = new Float64Array(places * BLANK);
  const first = Math.max(0, Math.floor(stepAt(grid, 0) - REACH));
  const last = Math.min(steps.count - 1, Math.ceil(stepAt(grid, places - 1) + REACH));
  const count = last - first + 1;
  if (count < places) return signs;
  const chance = (step: number, one: number) => steps.data[(first + step) * CLASSES + one] ?? 0;
  const isNear = (step: number, place: number) =>
    Math.abs(first + step - stepAt(grid, place)) <= REACH;

  // In a sign: that one of a place; after: behind so many places, where there is no sign. One row for each step.
  const inSign = new Float64Array(count * places * BLANK);
  const after = new Float64Array(count * (places + 1));
  const sums = new Float64Array(count * places);
  const scales = new Float64Array(count);
  const sign = (step: number, place: number, one: number) => (step * places + place) * BLANK + one;
  for (let step = 0; step < count; step += 1) {
    let total = 0;
    for (let place = 0; place <= places; place += 1) {
      const stayed = step > 0 ? (after[(step - 1) * (places + 1) + place] ?? 0) : 0;
      const came = step > 0 && place > 0 ? (sums[(step - 1) * places + place - 1] ?? 0) : 0;
      const begun = step === 0 && place === 0 ? 1 : 0;
      const value = (stayed + came + begun) * chance(step, BLANK);
      after[step * (places + 1) + place] = value;
      total += value;
      if (place === places || !isNear(step, place)) continue;
      let sum = 0;
      for (const one of allowed[place] ?? []) {
        const same = step > 0 ? (inSign[sign(step - 1, place, one)] ?? 0) : 0;
        const before =
          came - (step > 0 && place > 0 ? (inSign[sign(step - 1, place - 1, one)] ?? 0) : 0);
        const arrived = (same + stayed + Math.max(0, before) + begun) * chance(step, one);
        inSign[sign(step, place, one)] = arrived;
        sum += arrived;
      }
      sums[step * places + place] = sum;
      total += sum;
    }
    scales[step] = total;
    if (total === 0) return signs;
    for (let at = step * places * BLANK; at < (step + 1) * places * BLANK; at += 1) {
      inSign[at] = (inSign[at] ?? 0) / total;
    }
    for (let place = 0; place <= places; place += 1) {
      after[step * (places + 1) + place] = (after[step * (places + 1) + place] ?? 0) / total;
      if (place < places) sums[step * places + place] = (sums[step * places + place] ?? 0) / total;
    }
  }
  const ended =
    (after[(count - 1) * (places + 1) + places] ?? 0) +
    (sums[(count - 1) * places + places - 1] ?? 0);
  if (ended === 0) return signs;

  // Backward: what remains to be read from here on, and with it the probability that a place's sign begins at a step.
  let laterSign = new Float64Array(places * BLANK);
  let laterAfter = new Float64Array(places + 1);
  laterAfter[places] = 1;
  for (const one of allowed[places - 1] ?? []) laterSign[(places - 1) * BLANK + one] = 1;
  for (let step = count - 1; step >= 0; step -= 1) {
    const nowSign = new Float64Array(places * BLANK);
    const nowAfter = new Float64Array(places + 1);
    const scale = scales[step] ?? 1;
    for (let place = places; place >= 0; place -= 1) {
      const stayed = step > 0 ? (after[(step - 1) * (places + 1) + place] ?? 0) : 0;
      const came = step > 0 && place > 0 ? (sums[(step - 1) * places + place - 1] ?? 0) : 0;
      const begun = step === 0 && place === 0 ? 1 : 0;
      const none = (chance(step, BLANK) * (laterAfter[place] ?? 0)) / scale;
      nowAfter[place] = (nowAfter[place] ?? 0) + none;
      if (place > 0) {
        for (const one of allowed[place - 1] ?? []) {
          const at = (place - 1) * BLANK + one;
          nowSign[at] = (nowSign[at] ?? 0) + none;
        }
      }
      if (place === places || !isNear(step, place)) continue;
      let all = 0;
      for (const one of allowed[place] ?? []) {
        const at = place * BLANK + one;
        const rest = (chance(step, one) * (laterSign[at] ?? 0)) / scale;
        if (rest === 0) continue;
        all += rest;
        nowSign[at] = (nowSign[at] ?? 0) + rest;
        const before = place > 0 && step > 0 ? (inSign[sign(step - 1, place - 1, one)] ?? 0) : 0;
        signs[at] = (signs[at] ?? 0) + (stayed + Math.max(0, came - before) + begun) * rest;
      }
      nowAfter[place] = (nowAfter[place] ?? 0) + all;
      if (place > 0) {
        for (const one of allowed[place - 1] ?? []) {
          const own = (chance(step, one) * (laterSign[place * BLANK + one] ?? 0)) / scale;
          const at = (place - 1) * BLANK + one;
          nowSign[at] = (nowSign[at] ?? 0) + all - own;
        }
      }
    }
    [laterSign, laterAfter] = [nowSign, nowAfter];
  }
  for (let place = 0; place < places; place += 1) {
    let sum = 0;
    for (let one = 0; one < BLANK; one += 1) sum += signs[place * BLANK + one] ?? 0;
    for (let one = 0; one < BLANK; one += 1) {
      signs[place * BLANK + one] = (signs[place * BLANK + one] ?? 0) / (sum || 1);
    }
  }
  return signs;
}
