import { extractText } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { withoutIsolates } from '~/base/isolated.ts';
import { languageCodes } from '~/base/languages.ts';
import { drawCertificate } from './certificate.server.tsx';
import { sampleCertificate } from '../testing/sample-certificate.server.ts';
import { qrPath } from '~/ui/qr-path.ts';
import { makeDate } from '../../../../test/make.ts';

const facts = sampleCertificate;

const longest = {
  firstName: 'Łukasz Jürgen Đorđe Nguyễn Çağrı',
  lastName: 'Große-Österreicher von und zu Weißenfels-Ångström',
};

const textOf = async (pdf: Buffer) =>
  (await extractText(new Uint8Array(pdf), { mergePages: true })).text;
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

describe.each(languageCodes)('the certificate in %s', (language) => {
  it.each([
    ['at its ease', {}],
    ['with the longest name', longest],
    ['cancelled', { cancelledOn: makeDate('2026-11-30') }],
  ])('is one page %s', async (_, changes) => {
    const pdf = await drawCertificate({ ...facts, language, ...changes });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(pdf)).toBe(1);
    expect(pdf.length).toBeLessThan(200_000);
  });
});

describe('the QR code', () => {
  it('is drawn as one path with its three corners', () => {
    const { size, path } = qrPath(facts.verifyAddress);
    expect(size).toBeGreaterThanOrEqual(21);
    expect(path.startsWith('M0 0h7v1h-7z')).toBe(true);
    expect(path).toContain(`M${size - 7} 0h7v1h-7z`);
    expect(path).toContain(`M0 ${size - 1}h7v1h-7z`);
    expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  });
});

describe('what the certificate says of the terms', () => {
  it.each(languageCodes)('leads to their very version in %s', async (language) => {
    const pdf = await drawCertificate({ ...facts, language });
    expect(pdf.toString('latin1')).toContain(`/URI (${facts.termsAddress})`);
  });

  it('is drawn without direction marks, which its fonts have no signs for', async () => {
    const marked = await drawCertificate({ ...facts, language: 'ar' });
    const covers = facts.terms.covers.map((cover) => ({
      ...cover,
      limit: cover.limit && { en: cover.limit.en, ar: withoutIsolates(cover.limit.ar ?? '') },
    }));
    const plain = await drawCertificate({
      ...facts,
      language: 'ar',
      terms: { ...facts.terms, covers },
    });
    expect(facts.terms.covers[0]?.limit?.ar).toContain('\u2066');
    expect(await textOf(marked)).toBe(await textOf(plain));
  });

  it.each(['en', 'ar'] as const)(
    'has the digits of the emergency call in order in %s',
    async (language) => {
      const terms = { ...facts.terms, assistancePhone: '+90 212 555 01 23' };
      const pdf = await drawCertificate({ ...facts, language, terms });
      expect(await textOf(pdf)).toContain('+90 212 555 01 23');
    },
  );

  it.each(['en', 'ar'] as const)(
    'has addresses that begin with a number in order in %s',
    async (language) => {
      const operator = {
        ...facts.operator,
        legalName: '7 Seas Ltd. (TR)',
        address: '1 Sample Street, Sample City',
      };
      const terms = {
        ...facts.terms,
        insurer: '1st Insurance',
        address: '12 High Road, 34000 Istanbul',
        complaintContact: '24/7 desk, +90 212 555 01 24',
      };
      const text = (
        await textOf(await drawCertificate({ ...facts, language, operator, terms }))
      ).replace(/\s+/g, ' ');
      for (const run of [
        '7 Seas Ltd. (TR)',
        '1 Sample',
        '12 High Road, 34000',
        '24/7 desk, +90 212 555 01 24',
      ])
        expect(text).toContain(run);
    },
  );
});
