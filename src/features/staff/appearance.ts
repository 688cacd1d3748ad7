/** The colours of the desk, which each person chooses: as the device is set, light, or dark. */
export const appearances = ['device', 'light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

/** What somebody chose; null for what is none of them. */
export const readAppearance = (typed: string): Appearance | null =>
  appearances.find((one) => one === typed) ?? null;
