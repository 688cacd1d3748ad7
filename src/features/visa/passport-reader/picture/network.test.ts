import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestNetwork, readGrayPhoto } from '../testing/open-network.ts';
import { ALPHABET, BLANK, CLASSES, openNetwork, STRIP_HEIGHT, STRIP_UNIT } from './network.ts';

it('reads a line that was drawn for its training', async () => {
  const drawn = await readGrayPhoto(join(import.meta.dirname, '../testing/line-example.png'));
  expect(drawn.height).toBe(STRIP_HEIGHT);
  const width = Math.floor(drawn.width / STRIP_UNIT) * STRIP_UNIT;
  const data = Float64Array.from(
    { length: width * STRIP_HEIGHT },
    (_, index) =>
      (drawn.data[Math.floor(index / width) * drawn.width + (index % width)] ?? 0) / 255,
  );
  const steps = openTestNetwork()({ width, data });
  let [text, last] = ['', BLANK];
  for (let step = 0; step < steps.count; step += 1) {
    const chances = steps.data.subarray(step * CLASSES, (step + 1) * CLASSES);
    const best = chances.indexOf(Math.max(...chances));
    if (best !== last) text += ALPHABET.charAt(best);
    last = best;
  }
  expect(text).toBe('<RNI<CMFDB<RFDMXQSGNIOPZHIBVKB<WJ<VP<<OO<IWZ');
});

it('is not opened from anything else', () => {
  expect(() => openNetwork(new ArrayBuffer(1000))).toThrow(RangeError);
});
