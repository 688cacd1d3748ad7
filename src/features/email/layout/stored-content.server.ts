import { z } from 'zod';
import { languageCodes } from '~/base/languages.ts';
import type { EmailContent } from './content.ts';

const link = z.object({ label: z.string(), href: z.string() });
const row = z.object({ label: z.string(), value: z.string(), note: z.string().optional() });

/** The stored shape of an email. Changes to `EmailContent` must keep earlier ones readable. */
const storedContent = z.object({
  language: z.enum(languageCodes),
  subject: z.string(),
  preview: z.string(),
  heading: z.string(),
  greeting: z.string(),
  paragraphs: z.array(z.string()),
  numbers: z.object({ label: z.string(), values: z.array(z.string()) }).nullable(),
  button: link,
  note: z.string().nullable(),
  sections: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('list'), title: z.string(), items: z.array(z.string()) }),
      z.object({
        kind: z.literal('receipt'),
        title: z.string(),
        rows: z.array(row),
        total: row,
        facts: z.array(row),
        link: link.optional(),
      }),
      z.object({ kind: z.literal('quote'), title: z.string(), text: z.string() }),
    ]),
  ),
  closing: z.array(z.string()),
  off: link.optional(),
  footer: z.object({
    privateService: z.string(),
    official: link,
    operator: z.string(),
    privacy: z.object({ text: z.string(), label: z.string(), href: z.string() }),
  }),
});

/** A stored email; null where nothing was stored or the shape is no longer known. */
export function readStored(kept: unknown): EmailContent | null {
  const read = storedContent.safeParse(kept);
  return read.success ? read.data : null;
}

type Link = { label: string; href: string };

/** The links meant for the traveller alone: all but those of the footer. */
const ownLinks = ({ button, sections, off }: EmailContent): Link[] => [
  button,
  ...(off ? [off] : []),
  ...sections.flatMap((section) =>
    section.kind === 'receipt' && section.link ? [section.link] : [],
  ),
];

function withLinks(content: EmailContent, hrefOf: (label: string) => string): EmailContent {
  const lead = ({ label }: Link): Link => ({ label, href: hrefOf(label) });
  return {
    ...content,
    button: lead(content.button),
    ...(content.off && { off: lead(content.off) }),
    sections: content.sections.map((section) =>
      section.kind === 'receipt' && section.link
        ? { ...section, link: lead(section.link) }
        : section,
    ),
  };
}

/** An email to store: without its links, which open documents and forms. */
export const withoutLinks = (content: EmailContent): EmailContent => withLinks(content, () => '#');

/** A stored email with the links of one written now, by label; the new email where one of the labels is missing there. */
export function renewed(kept: EmailContent, written: EmailContent): EmailContent {
  const fresh = new Map(ownLinks(written).map(({ label, href }) => [label, href]));
  const isWhole = ownLinks(kept).every(({ label }) => fresh.has(label));
  return isWhole ? withLinks(kept, (label) => fresh.get(label) ?? '#') : written;
}
