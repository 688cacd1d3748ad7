import type { Language } from '~/base/languages.ts';

/** `note` stands below the label, smaller. */
export type Row = { label: string; value: string; note?: string | undefined };

/** A part below the button. */
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

/** What an e-mail says, in one language, before it is HTML or plain text. Everything in it is plain text. */
export type EmailContent = {
  language: Language;
  subject: string;
  /** What a list of e-mails shows after the subject. */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Stand between the perforations; written in groups. */
  numbers: { label: string; values: readonly string[] } | null;
  button: { label: string; href: string };
  /** Small print below the button. */
  note: string | null;
  sections: readonly Section[];
  closing: readonly string[];
  footer: Footer;
};

export type Footer = {
  /** Names `official.label`, which is a link there. */
  privateService: string;
  official: { label: string; href: string };
  operator: string;
  privacy: { text: string; label: string; href: string };
};

/** The foot of an e-mail that is about no application: it says why it came, and no copy of it is kept. */
export const footerWith = (footer: Footer, text: string): Footer => ({
  ...footer,
  privacy: { ...footer.privacy, text },
});

/** What stands before and after the link to the official site. An e-mail kept from before named it after its sentence. */
export function aroundOfficial({ privateService, official }: Footer): [string, string] {
  const at = privateService.indexOf(official.label);
  if (at < 0) return [`${privateService} `, '.'];
  return [privateService.slice(0, at), privateService.slice(at + official.label.length)];
}
