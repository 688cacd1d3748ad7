import type { Conditions, Print } from './draw-passport.ts';

/** A variant of the print, or a way to hold the camera, that the samples are photographed in. */
export type PhotoKind = {
  name: string;
  print?: Print;
  /** What is otherwise than in the sample itself. `random` gives numbers between 0 and 1, the same every time. */
  more?: (random: () => number) => Partial<Conditions>;
  /** At least so many of a hundred are read. */
  least: number;
};

/** `weight`: see `Print`. A stroke of OCR-B is 100 wide. */
export const photoKinds: readonly PhotoKind[] = [
  { name: 'OCR-B', least: 90 },
  { name: 'square ends of strokes', print: { font: 'OCRBS', weight: 0 }, least: 90 },
  { name: 'slanted', print: { font: 'OCRBL', weight: 0 }, least: 50 },
  { name: 'bolder by a third', print: { font: 'OCRB', weight: 18 }, least: 90 },
  { name: 'thinner by a third', print: { font: 'OCRB', weight: -18 }, least: 75 },
  {
    name: 'from one side',
    more: (random) => ({ leanAcross: (random() - 0.5) * 0.3, leanDown: (random() - 0.5) * 0.4 }),
    least: 80,
  },
  {
    name: 'small',
    more: (random) => ({ width: 900 + Math.floor(random() * 300) }),
    least: 80,
  },
  { name: 'out of focus', more: (random) => ({ blur: 1.3 + random() * 1.2 }), least: 80 },
  {
    name: 'in the dark',
    print: { font: 'OCRBS', weight: 8 },
    more: (random) => ({ noise: 60 + random() * 50, quality: 35 + Math.floor(random() * 25) }),
    least: 80,
  },
  {
    name: 'turned by right angles',
    more: (random) => ({ quarters: 1 + Math.floor(random() * 3) }),
    least: 80,
  },
];
