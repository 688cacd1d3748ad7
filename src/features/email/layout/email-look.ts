import { factsOf, type Language } from '~/base/languages.ts';

/** The design tokens again, as values: mail programs do not support custom properties. */
export const colours = {
  ground: '#eeeae0',
  paper: '#ffffff',
  ink: '#0b2a3c',
  ink2: '#41586a',
  line: '#e4daca',
  line2: '#cfc3af',
  turquoise: '#0e6e78',
  cobalt: '#1f4e9e',
  brass: '#b8893b',
  sky: '#34566d',
} as const;

export const sizes = { width: 600, side: 48, stripHeight: 150 } as const;

export type Fonts = { text: string; display: string };

/** Mail programs load no web fonts: names the closest fonts installed on readers' machines. */
export const fonts = (language: Language): Fonts =>
  factsOf(language).script === 'arabic'
    ? {
        text: "'IBM Plex Sans Arabic', 'Segoe UI', Tahoma, sans-serif",
        display: "'IBM Plex Sans Arabic', 'Segoe UI', Tahoma, sans-serif",
      }
    : {
        text: "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif",
        display: "Fraunces, Georgia, 'Times New Roman', serif",
      };

export const mono = "'IBM Plex Mono', Menlo, Consolas, 'Courier New', monospace";
