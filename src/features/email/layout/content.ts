import type { Language } from '~/base/languages.ts';

/** `note`: smaller, below the label. */
export type Row = { label: string; value: string; note?: string | undefined };

/** A section below the button. */
export type Section =
  | { kind: 'list'; title: string; items: readonly string[] }
  | {
      kind: 'receipt';
      title: string;
      rows: readonly Row[];
      total: Row;
      facts: readonly Row[];
      link?: { label: string; href: string } | undefined;
    }
  | { kind: 'quote'; title: string; text: string };

/** What an email says in one language, independent of HTML or plain text. All strings are plain text. */
export type EmailContent = {
  language: Language;
  subject: string;
  /** The preview that a list of emails shows after the subject. */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Shown in the box at the top; written in groups of four. */
  numbers: { label: string; values: readonly string[] } | null;
  button: { label: string; href: string };
  /** Small text below the button. */
  note: string | null;
  sections: readonly Section[];
  closing: readonly string[];
  /** Turns emails like this one off; only in those that are not necessary. */
  off?: { label: string; href: string } | undefined;
  footer: Footer;
};

export type Footer = {
  /** Contains `official.label`, which becomes a link. */
  privateService: string;
  official: { label: string; href: string };
  operator: string;
  privacy: { text: string; label: string; href: string };
};

/** The footer of an email about no application: it says why it was sent. No copy of such an email is kept. */
export const footerWith = (footer: Footer, text: string): Footer => ({
  ...footer,
  privacy: { ...footer.privacy, text },
});

/**
 * The text before and after the link to the official site. In emails kept by earlier versions the name follows the
 * sentence.
 */
export function aroundOfficial({ privateService, official }: Footer): [string, string] {
  const at = privateService.indexOf(official.label);
  if (at < 0) return [`${privateService} `, '.'];
  return [privateService.slice(0, at), privateService.slice(at + official.label.length)];
}

/** `to`: the recipient at the time of writing. */
export type WrittenEmail = { to: string; content: EmailContent };
