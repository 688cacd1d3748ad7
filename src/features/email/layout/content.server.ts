import { z } from 'zod';
import { languageColon, languageCodes } from '~/base/languages.ts';

const link = z.object({ label: z.string(), href: z.string() });
type Link = z.infer<typeof link>;

/** `note`: smaller, below the label. */
const row = z.object({ label: z.string(), value: z.string(), note: z.string().optional() });
export type ContentRow = z.infer<typeof row>;

/** `link`: what the item opens, behind its text. */
const item = z.union([z.string(), z.object({ text: z.string(), link })]);
export type ListItem = z.infer<typeof item>;

/** A section below the button. */
const section = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), title: z.string(), items: z.array(item).readonly() }),
  z.object({
    kind: z.literal('receipt'),
    title: z.string(),
    rows: z.array(row).readonly(),
    total: row,
    facts: z.array(row).readonly(),
    links: z.array(link).readonly().default([]),
  }),
  z.object({ kind: z.literal('quote'), title: z.string(), text: z.string() }),
]);
export type EmailSection = z.infer<typeof section>;

const footer = z.object({
  /** Contains `official.label`, which becomes a link. */
  privateService: z.string(),
  official: link,
  operator: z.string(),
  privacy: z.object({ text: z.string(), label: z.string(), href: z.string() }),
});
export type Footer = z.infer<typeof footer>;

/**
 * What an email says in one language, independent of HTML or plain text. All strings are plain text. Emails are stored
 * in this shape: changes must keep earlier ones readable.
 */
const emailContent = z.object({
  language: z.enum(languageCodes),
  subject: z.string(),
  /** The preview that a list of emails shows after the subject. */
  preview: z.string(),
  heading: z.string(),
  greeting: z.string(),
  paragraphs: z.array(z.string()).readonly(),
  /** Written by staff for this email alone: no address in it becomes a link. */
  words: z.string().optional(),
  /** Shown in the box at the top; written in groups of four. */
  numbers: z.object({ label: z.string(), values: z.array(z.string()).readonly() }).nullable(),
  button: link,
  /** Small text below the button. */
  note: z.string().nullable(),
  sections: z.array(section).readonly(),
  closing: z.array(z.string()).readonly(),
  footer,
});
export type EmailContent = z.infer<typeof emailContent>;

/** `to`: the recipient at the time of writing. */
export type WrittenEmail = { to: string; content: EmailContent };

/** The footer of an email about no application: it says why it was sent. No copy of such an email is kept. */
export const replacePrivacyText = (footer: Footer, text: string): Footer => ({
  ...footer,
  privacy: { ...footer.privacy, text },
});

/**
 * The text before and after the link to the official site. In emails kept by earlier versions the name follows the
 * sentence.
 */
export function splitAtOfficialLink({ privateService, official }: Footer): [string, string] {
  const at = privateService.indexOf(official.label);
  if (at < 0) return [`${privateService} `, '.'];
  return [privateService.slice(0, at), privateService.slice(at + official.label.length)];
}

/** A stored email; null where nothing was stored or the shape is no longer known. */
export function readStored(kept: unknown): EmailContent | null {
  const read = emailContent.safeParse(kept);
  return read.success ? read.data : null;
}

/** The links meant for the traveller alone: all but those of the footer. */
const ownLinks = ({ button, sections }: EmailContent): Link[] => [
  button,
  ...sections.flatMap((section) => (section.kind === 'receipt' ? section.links : [])),
];

function withLinks(content: EmailContent, hrefOf: (label: string) => string): EmailContent {
  const lead = ({ label }: Link): Link => ({ label, href: hrefOf(label) });
  return {
    ...content,
    button: lead(content.button),
    sections: content.sections.map((section) =>
      section.kind === 'receipt' ? { ...section, links: section.links.map(lead) } : section,
    ),
  };
}

/** An email to store: without its links, which open documents and forms. */
export const withoutLinks = (content: EmailContent): EmailContent => withLinks(content, () => '#');

/** A stored email with the links of one written now, by label; the new email where one of the labels is missing there. */
export function renewLinks(kept: EmailContent, written: EmailContent): EmailContent {
  const fresh = new Map(ownLinks(written).map(({ label, href }) => [label, href]));
  const isWhole = ownLinks(kept).every(({ label }) => fresh.has(label));
  return isWhole ? withLinks(kept, (label) => fresh.get(label) ?? '#') : written;
}

/** The email for programs that show no HTML. Lines end with a line feed. */
export function emailText(content: EmailContent): string {
  const { footer, button, numbers } = content;
  const colon = languageColon(content.language);
  const [before, after] = splitAtOfficialLink(footer);
  const blocks = [
    content.heading,
    content.greeting,
    ...content.paragraphs,
    content.words ?? null,
    numbers && [numbers.label, ...numbers.values].join('\n'),
    `${button.label}${colon}\n${button.href}`,
    content.note,
    ...content.sections.map((section) => sectionText(section, colon)),
    ...content.closing,
    '--',
    `${before}${footer.official.href}${after}`,
    `${footer.privacy.text} ${footer.privacy.href}`,
    footer.operator,
  ];
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`;
}

const itemText = (one: ListItem): string =>
  typeof one === 'string' ? one : `${one.text} ${one.link.href}`;

function sectionText(section: EmailSection, colon: string): string {
  const rowText = ({ label, value, note }: ContentRow): string =>
    [`${label}${colon} ${value}`, ...(note ? [`  ${note}`] : [])].join('\n');
  switch (section.kind) {
    case 'list':
      return [section.title, ...section.items.map((one) => `- ${itemText(one)}`)].join('\n');
    case 'quote':
      return `${section.title}\n${section.text}`;
    case 'receipt': {
      const { title, rows, total, facts, links } = section;
      const linkTexts = links.map(({ label, href }) => `${label}${colon}\n${href}`);
      return [title, ...[...rows, total, ...facts].map(rowText), ...linkTexts].join('\n');
    }
  }
}
