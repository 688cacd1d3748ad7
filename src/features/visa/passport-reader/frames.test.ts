import { describe, expect, it, test } from 'vitest';
import { linesInFrame, makeFrameChoice } from './frames.ts';
import type { PictureLines } from './picture/read-picture.ts';

const all = {
  passportNumber: true,
  dateOfBirth: true,
  passportExpiryDate: true,
  names: true,
  nationality: true,
};
const none = {
  passportNumber: false,
  dateOfBirth: false,
  passportExpiryDate: false,
  names: false,
  nationality: false,
};
const seen = (given: Partial<PictureLines> = {}): PictureLines => ({
  text: 'P<ONE',
  doubts: [],
  sure: all,
  isHeld: true,
  corners: [],
  ...given,
});
/** What is chosen after each frame. */
function choose(...frames: (PictureLines | null)[]) {
  const choice = makeFrameChoice();
  return frames.map((frame) => choice(frame));
}
const dates = { ...none, dateOfBirth: true, passportExpiryDate: true };

describe('the frames of a camera', () => {
  it('are enough with the first of which everything is sure', () => {
    expect(choose(null, seen())).toEqual([null, seen()]);
  });

  it('are not read while a check digit does not hold, however often', () => {
    const wrong = seen({ isHeld: false });
    expect(choose(wrong, wrong, wrong, wrong)).toEqual([null, null, null, null]);
  });

  it('are read with what three that show the same lines are sure of', () => {
    const [first, second, third] = choose(
      seen({ sure: dates }),
      null,
      seen({ sure: { ...none, passportNumber: true } }),
      seen({ sure: none }),
    ).filter((_, index) => index !== 1);
    expect([first, second]).toEqual([null, null]);
    expect(third?.sure).toEqual({ ...dates, passportNumber: true });
  });

  it('are enough with two that are sure of everything together', () => {
    const names = { ...all, passportNumber: false };
    const number = { ...none, passportNumber: true };
    expect(choose(seen({ sure: names }), seen({ sure: number }))[1]?.sure).toEqual(all);
  });

  it('begin anew with other lines, of which nothing is taken over', () => {
    const one = seen({ sure: dates });
    const other = seen({ text: 'P<TWO', sure: { ...none, names: true } });
    expect(choose(one, one, other, other)).toEqual([null, null, null, null]);
    expect(choose(one, other, one, one)).toEqual([null, null, null, null]);
    expect(choose(one, one, other, other, other)[4]?.sure).toEqual(other.sure);
  });

  it('go on where nothing is sure', () => {
    const unsure = seen({ sure: none });
    expect(choose(unsure, unsure, unsure, unsure).at(-1)).toBeNull();
  });
});

// A frame of 300 × 200 in the middle of an element of 400 × 600.
const element = { width: 400, height: 600 };
const frame = { left: 50, top: 200, width: 300, height: 200 };

test.each([
  ['as large', { width: 400, height: 600 }, { left: 26, top: 310, width: 348, height: 106 }],
  ['twice as large', { width: 800, height: 1200 }, { left: 52, top: 620, width: 696, height: 212 }],
  // 800 × 600 of which 200 are hidden on each side.
  ['wider', { width: 800, height: 600 }, { left: 226, top: 310, width: 348, height: 106 }],
  // Of 1200 in height, drawn as 400 × 1200, 300 are hidden above.
  ['higher', { width: 400, height: 1200 }, { left: 26, top: 610, width: 348, height: 106 }],
])('the lines are looked for in the frame of a picture that is %s', (_, video, expected) =>
  expect(linesInFrame(video, element, frame)).toEqual(expected),
);

test('and never outside of the picture', () => {
  const whole = { left: 0, top: 0, width: 400, height: 600 };
  expect(linesInFrame(element, element, whole)).toEqual({
    left: 0,
    top: 330,
    width: 400,
    height: 270,
  });
});
