/** What of subset-font 2, which comes without types, is used here. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2';
      /** OpenType features that stay; all others go. */
      keepFeatures: readonly string[];
      /** A number pins an axis, a range narrows it. */
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Uint8Array>;
}
