import { parseDate, type PlainDate } from '~/base/dates/dates.ts';

/** Information and policy pages: the name is the address, and the name of the file under `text/<language>/`. */
export const informationPages = [
  'faq',
  'requirements',
  'processing-times',
  'terms',
  'privacy',
  'kvkk',
  'cancellation-policy',
  'security',
] as const;
export type InformationPage = (typeof informationPages)[number];

/** Further addresses of information pages. */
export const pageTwins: Readonly<Record<string, `/${InformationPage}`>> = {
  '/refund': '/cancellation-policy',
};

export const isInformationPage = (name: string): name is InformationPage =>
  informationPages.some((page) => page === name);

const day = (text: string): PlainDate => {
  const date = parseDate(text);
  if (!date) throw new Error(`${text} is no date`);
  return date;
};

/** When the meaning of a page last changed, in any language. Update it with the text. */
export const lastChanged: Readonly<Record<InformationPage, PlainDate>> = {
  faq: day('2026-11-28'),
  requirements: day('2026-11-28'),
  'processing-times': day('2026-11-28'),
  terms: day('2026-11-28'),
  privacy: day('2026-11-28'),
  kvkk: day('2026-11-28'),
  'cancellation-policy': day('2026-11-28'),
  security: day('2026-11-28'),
};

/** Pages suggested at the end of a page. */
export const relatedPages: Readonly<Record<InformationPage, readonly InformationPage[]>> = {
  faq: ['requirements', 'processing-times', 'cancellation-policy'],
  requirements: ['processing-times', 'faq'],
  'processing-times': ['requirements', 'cancellation-policy'],
  terms: ['cancellation-policy', 'privacy'],
  privacy: ['kvkk', 'security', 'terms'],
  kvkk: ['privacy', 'security'],
  'cancellation-policy': ['terms', 'processing-times'],
  security: ['privacy', 'kvkk'],
};
