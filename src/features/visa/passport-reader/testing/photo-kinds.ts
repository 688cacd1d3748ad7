import type { Conditions, Print } from './draw-passport.ts';

/** A variant of the print, or a way to hold the camera, that the samples are photographed in. */
type PhotoKind = {
  name: string;
  print?: Print;
  /** What is otherwise than in the sample itself. `random` gives numbers between 0 and 1, the same every time. */
  more?: (random: () => number) => Partial<Conditions>;
  /**
   * At least so many of a hundred numbers and dates are filled in, and of the names. Every third number is made of characters
   * that look or count alike, some of which have to stay empty.
   */
  least: number;
  leastNames: number;
  /** No threshold of the reader was chosen by these. */
  isHeldOut?: true;
};

const regular = (more: Partial<Print>): Print => ({ font: 'OCRB', weight: 0, ...more });

/** `weight`: see `Print`. A stroke of OCR-B is 100 wide. */
export const photoKinds: readonly PhotoKind[] = [
  { name: 'OCR-B', least: 80, leastNames: 75 },
  { name: 'square ends of strokes', print: regular({ font: 'OCRBS' }), least: 80, leastNames: 75 },
  { name: 'bolder by a third', print: regular({ weight: 18 }), least: 80, leastNames: 75 },
  { name: 'thinner by a third', print: regular({ weight: -18 }), least: 80, leastNames: 75 },
  {
    name: 'from one side',
    more: (random) => ({ leanAcross: (random() - 0.5) * 0.3, leanDown: (random() - 0.5) * 0.4 }),
    least: 80,
    leastNames: 75,
  },
  {
    name: 'small',
    more: (random) => ({ width: 600 + Math.floor(random() * 400), noise: random() * 25 }),
    least: 80,
    leastNames: 75,
  },
  {
    name: 'out of focus',
    more: (random) => ({ blur: 1.3 + random() * 1.7 }),
    least: 80,
    leastNames: 75,
  },
  {
    name: 'turned by right angles',
    more: (random) => ({ quarters: 1 + Math.floor(random() * 3) }),
    least: 80,
    leastNames: 75,
  },
  // Held out.
  {
    name: 'slanted',
    print: regular({ font: 'OCRBL' }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'in the dark',
    print: { font: 'OCRBS', weight: 8 },
    more: (random) => ({ noise: 60 + random() * 50, quality: 35 + Math.floor(random() * 25) }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'a scan of 320 to 560 pixels',
    more: (random) => ({
      width: 320 + Math.floor(random() * 240),
      share: 0.97,
      tilt: random() - 0.5,
      noise: random() * 10,
      blur: 0,
      quality: 60 + Math.floor(random() * 30),
    }),
    least: 80,
    leastNames: 60,
    isHeldOut: true,
  },
  {
    name: 'far away, on a table',
    more: (random) => ({
      width: 2400,
      share: 0.34 + random() * 0.2,
      noise: random() * 25,
      glare: 0,
    }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'a page that is bent, with a shadow',
    more: (random) => ({ bow: (random() - 0.5) * 0.12, shade: random() * 0.6 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'a dense pattern behind the print',
    print: regular({ pattern: 0.55, paper: '#e3dcec' }),
    least: 70,
    leastNames: 65,
    isHeldOut: true,
  },
  {
    name: 'engraved in gray, grainy',
    print: regular({ ink: '#6a6660', paper: '#d8d4cc', grain: 0.8 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'moved, and strongly compressed',
    more: (random) => ({ motion: 2 + random() * 4, quality: 30, noise: 10, width: 1500 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'as WebP of low quality',
    more: (random) => ({ file: 'webp', quality: 15 + Math.floor(random() * 25), width: 1100 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'the stripes of a hologram over the print',
    more: (random) => ({ foil: 0.35 + random() * 0.35 }),
    least: 60,
    leastNames: 50,
    isHeldOut: true,
  },
  {
    name: 'from a screen',
    more: (random) => ({ screen: 0.4 + random() * 0.4, noise: random() * 20 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
  {
    name: 'worn off',
    print: regular({ worn: 0.75, ink: '#34302c' }),
    // Most of what is left of it could be something else: nothing of it may be wrong.
    least: 0,
    leastNames: 30,
    isHeldOut: true,
  },
  {
    name: 'printed in dots',
    print: regular({ dots: 0.17, weight: 10 }),
    least: 80,
    leastNames: 75,
    isHeldOut: true,
  },
];
