/** The part of subset-font 2, a package without types, that is used here. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2';
      /** OpenType features to keep; all others are removed. */
      keepFeatures: readonly string[];
      /** A number fixes an axis, a range limits it. */
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Uint8Array>;
}
