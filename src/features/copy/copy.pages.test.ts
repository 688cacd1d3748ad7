import { randomUUID } from 'node:crypto';
import { extractText } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { unlimitedVisits } from '~/features/application/testing/unlimited-visits.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { insertPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { placeInsurance } from '~/features/insurance/testing/sample-insurance.server.ts';
import { placeApplication } from '../../../test/applications.ts';
import { needed } from '../../../test/purchases.ts';
import { copyGroups } from './copy-groups.server.ts';

const { platform, request, page } = await unlimitedVisits();

const right = { 'dateOfBirth-day': '27', 'dateOfBirth-month': '3', 'dateOfBirth-year': '1990' };
const ask = (number: string, date: Record<string, string>) =>
  request(`/status?ref=${number}&download=copy`, {
    method: 'POST',
    headers: { origin: 'http://localhost' },
    body: new URLSearchParams({ ref: number, receipt: 'copy', ...date }),
  });

describe('the copy of an application', () => {
  test('is offered before a decision, and asks for the date of birth', async () => {
    const { application } = await placeApplication(platform);
    const shown = await page(`/en/status?ref=${application.number}`);
    expect(shown.html).toContain('Download a copy of your application (PDF)');
    const asked = await page(`/en/status?ref=${application.number}&download=copy`);
    expect(asked.html).toContain('name="dateOfBirth-day"');
    expect(asked.html).not.toContain('G38215640');
  });

  test('is opened by the right date, for ten minutes, as a file to keep', async () => {
    const { application } = await placeApplication(platform);
    const answer = await ask(application.number, right);
    const link = answer.headers.get('location') ?? '';
    expect(link).toMatch(/^\/copies\//);
    const file = await request(link);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="application-${application.number}.pdf"`,
    );
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    platform.clock.advance(11 * 60_000);
    expect((await request(link)).headers.get('location')).toBe('/download');
  });

  test('stays closed to a wrong date, and after five of them to the right one', async () => {
    const { application } = await placeApplication(platform);
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await ask(application.number, { ...right, 'dateOfBirth-day': '28' })).status).toBe(
        422,
      );
    }
    expect((await ask(application.number, right)).status).toBe(422);
  });

  test('is not opened by the link to another kind of file', async () => {
    const { application } = await placeApplication(platform);
    const expires = new Date(platform.now().getTime() + 60_000);
    const forged = platform.signer.sign({ applicationId: application.id }, 'download', expires);
    expect((await request(`/copies/${forged}`)).headers.get('location')).toBe('/download');
  });

  test.each(languageCodes)('is drawn in %s with every answer', async (code) => {
    const { application } = await placeApplication(platform, { language: code });
    const groups = needed(await copyGroups(platform, application, code));
    const values = groups.flatMap(({ rows }) => rows.map(({ value }) => value));
    for (const answer of ['G38215640', 'Elena', 'Puebla', 'Hernández Ruiz', application.email])
      expect(values).toContain(answer);
    expect(groups.flatMap(({ rows }) => rows).filter(({ term }) => /^\w+\.\w+/.test(term))).toEqual(
      [],
    );
    const link = (await ask(application.number, right)).headers.get('location') ?? '';
    const file = await request(link);
    expect(file.status).toBe(200);
    const drawn = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true });
    expect(drawn.totalPages).toBe(1);
    expect(drawn.text).toContain('G38215640');
  });

  test('of an insurance says the plan and the last insured day', async () => {
    const { id } = await placeInsurance(platform);
    const application = needed(await applicationById(platform.db, id));
    const groups = needed(await copyGroups(platform, application, 'en'));
    const rows = groups.flatMap((group) =>
      group.rows.map(({ term, value }) => `${term}: ${value}`),
    );
    expect(rows).toContain('Last insured day: 10 January 2027');
    expect(rows).toContain('Passport number: G38215640');
    expect(rows.filter((row) => row.startsWith('Photos of'))).toEqual([]);
  });

  test('of a child’s insurance says how many photos of a parent’s ID were sent', async () => {
    const { id } = await placeInsurance(platform);
    await platform.db.transaction(async (tx) => {
      for (const name of ['mother.jpg', 'father.jpg']) {
        const [photoId, fileId] = [randomUUID(), randomUUID()];
        const contentHash = Buffer.from(name);
        const photo = { id: photoId, name, fileId, contentHash, size: 1000 };
        await insertPhoto(tx, platform.sealer, { applicationId: id }, photo, platform.now());
      }
    });
    const application = needed(await applicationById(platform.db, id));
    const groups = needed(await copyGroups(platform, application, 'en'));
    const rows = groups.flatMap((group) => group.rows);
    expect(rows.find(({ value }) => value === '2')?.term).toBe('Photos of a parent’s ID');
  });
});
