import { getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { Language } from '~/base/languages.ts';
import { drawCopy } from '~/features/status/copy-document.server.tsx';
import { drawCertificate } from '~/features/insurance/certificate/certificate.server.tsx';
import { sampleCertificate } from '~/features/insurance/testing/sample-certificate.server.ts';
import { drawReceipt } from '~/features/order/receipt/receipt.server.tsx';
import {
  sampleCreditNote,
  sampleReceipt,
} from '~/features/order/receipt/testing/sample-receipt.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';

const rows = [
  { term: 'Names', value: 'Sofía Hernández Ruiz', latin: true },
  { term: 'Occupation', value: 'Architect', latin: false },
];
const at = new Date('2026-11-21T12:00:00Z');
const group = (title: string) => ({ title, rows });

/** Every document that Lale draws. */
const documents: Record<string, (language: Language) => Promise<Buffer>> = {
  receipt: (language) =>
    drawReceipt('receipt', 'LR-2026-000001', {
      ...sampleReceipt,
      language,
      lines: sampleReceipt.lines.map((line) => ({
        ...line,
        traveller: { position: 1, name: 'Łukasz Đorđe' },
      })),
    }),
  'credit note': (language) =>
    drawReceipt('credit_note', 'LC-2026-000001', { ...sampleCreditNote, language }),
  certificate: (language) => drawCertificate({ ...sampleCertificate, language }),
  'copy of an application': (language) =>
    drawCopy({
      language,
      kind: 'visa',
      number: 'TRV5C9W2TXK8MFJ3',
      firstName: 'Sofía',
      lastName: 'Hernández Ruiz',
      appliedAt: at,
      copiedAt: at,
      operatorName: 'Sample Ltd.',
      groups: [group('Passport'), group('Arrival')],
    }),
};

type StructureNode = { role?: string; alt?: string; id?: string; children?: StructureNode[] };

/** Each element of the structure tree with the text that is read out, and the texts that no element has. */
async function readStructure(pdf: Buffer) {
  const file = await getDocumentProxy(new Uint8Array(pdf));
  const page = await file.getPage(1);
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const texts = new Map<string, string>();
  const outside: string[] = [];
  const open: (string | null)[] = [];
  for (const item of items) {
    const mark = open.at(-1);
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.id ?? null);
    } else if (mark) texts.set(mark, (texts.get(mark) ?? '') + item.str);
    else if (item.str.trim()) outside.push(item.str);
  }
  const outline: string[] = [];
  const visit = ({ role, alt, children = [] }: StructureNode, depth: number): void => {
    const text = alt ?? children.map(({ id }) => texts.get(id ?? '') ?? '').join('');
    outline.push(`${'  '.repeat(depth)}${role}${text ? `: ${text.trim()}` : ''}`);
    for (const child of children) if (child.role) visit(child, depth + 1);
  };
  const root: StructureNode | null = await page.getStructTree();
  for (const child of root?.children ?? []) visit(child, 0);
  const { info } = await file.getMetadata();
  const isMarked = (await file.getMarkInfo())?.Marked ?? false;
  return {
    outline,
    outside,
    isMarked,
    language: Reflect.get(info, 'Language'),
    pages: file.numPages,
  };
}

/** The elements without their texts. */
const tagsOf = (outline: readonly string[]) => outline.map((line) => line.replace(/:.*/, ''));

describe.each(Object.entries(documents))('the PDF of a %s', (_, draw) => {
  test('has every text in an element of its structure tree, in the order of reading', async () => {
    const [english, arabic] = [
      await readStructure(await draw('en')),
      await readStructure(await draw('ar')),
    ];
    expect(english).toMatchObject({ isMarked: true, language: 'en', outside: [], pages: 1 });
    expect(arabic).toMatchObject({ isMarked: true, language: 'ar', outside: [], pages: 1 });
    const tags = tagsOf(english.outline);
    expect(tagsOf(arabic.outline)).toEqual(tags);
    expect(tags.filter((tag) => tag.trim() === 'H1')).toHaveLength(1);
    // Parts hold parts, and everything else has a text.
    const parts = /^ *(Document|L|LI|Table|TR)$/;
    const either = /^ *(LBody|TH|TD|P)\b/;
    for (const line of [...english.outline, ...arabic.outline].filter((one) => !either.test(one)))
      expect(line).toMatch(line.includes(':') ? /^ *(H[1-3]|Lbl|Figure|Link): / : parts);
  });
});

const outlineOf = async (name: string, language: Language) =>
  (await readStructure((await documents[name]?.(language)) ?? Buffer.alloc(0))).outline;

test('a receipt is a heading, a list of facts and a table, with numbers in groups', async () => {
  const outline = await outlineOf('receipt', 'en');
  expect(outline).toContain('  H1: Receipt');
  const order = outline.findIndex((line) => line.endsWith('Lbl: Order number'));
  expect(outline.slice(order - 1, order + 3)).toEqual([
    '    LI',
    '      Lbl: Order number',
    '      LBody',
    '        P: TRG 5C9W 2TXK 8MFJ 3',
  ]);
  expect(outline.slice(outline.indexOf('  Table'), -1)).toEqual([
    '  Table',
    '    TR',
    '      TH: What you paid for',
    '      TH: US dollars (USD)',
    '    TR',
    '      TH',
    '        P: Łukasz Đorđe',
    '    TR',
    '      TH',
    '        P: Application',
    '        P: TRV 5C9W 2TXK 8MFJ 3',
    '    TR',
    '      TH',
    '        P: E-visa fee',
    '      TD: $69.00',
    '    TR',
    '      TH',
    '        P: Processing (express)',
    '      TD: $95.00',
    '    TR',
    '      TH',
    '        P: Application',
    '        P: TRI 5C9W 2TXK 8MFJ 3',
    '    TR',
    '      TH',
    '        P: Travel insurance, 30 days',
    '      TD: $189.00',
    '    TR',
    '      TH: Total paid, USD',
    '      TD: $353.00',
  ]);
});

test('Arabic is read out in the order of its letters, not of its drawing', async () => {
  const t = makeTranslate('ar', 'receipt');
  const outline = await outlineOf('receipt', 'ar');
  for (const text of [`H1: ${t('title.receipt')}`, `Lbl: ${t('fact.order')}`, `P: ${t('test')}`])
    expect(outline.map((line) => line.trim())).toContain(text);
});
