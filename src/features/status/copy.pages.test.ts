import { randomUUID } from 'node:crypto';
import { extractText } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { insertPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';

import { copyGroups } from './copy-groups.server.ts';
import { makeInsurance, makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform, request, page } = await unlimitedVisits();

const ask = (number: string) =>
  request(`/status?ref=${number}`, {
    method: 'POST',
    headers: { origin: 'http://localhost' },
    body: new URLSearchParams({ ref: number, send: 'copy' }),
  });

async function mails() {
  platform.sent.length = 0;
  await platform.runJobs(emailJobs(platform));
  return [...platform.sent];
}

/** The path of the link in the email. */
const linkIn = (text = '') => {
  const found = /https?:\S+(\/\w\w\/copies\/\S+)/.exec(text)?.[1];
  return needed(found ?? null);
};

describe('the copy of an application', () => {
  test('goes to its own e-mail address, and is never opened by a date of birth', async () => {
    const application = await makeApplication(platform, { paid: false });
    await mails();
    const { html } = await page(`/en/status?ref=${application.number}`);
    expect(html).toContain('Email me a copy (PDF)');
    const answer = await ask(application.number);
    expect(answer.headers.get('location')).toBe(`/status?ref=${application.number}&sent=copy`);
    const [mail] = await mails();
    expect(mail?.to).toBe(application.email);
    expect(mail?.text).not.toContain('A01234547');
    const file = await request(linkIn(mail?.text));
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="application-${application.number}.pdf"`,
    );
    platform.clock.advance(7 * 24 * 3600_000 + 1000);
    expect((await request(linkIn(mail?.text))).headers.get('location')).toBe('/en/download');

    const byDate = await request(`/status?ref=${application.number}`, {
      method: 'POST',
      headers: { origin: 'http://localhost' },
      body: new URLSearchParams({
        ref: application.number,
        receipt: 'copy',
        'dateOfBirth-day': '2',
        'dateOfBirth-month': '5',
        'dateOfBirth-year': '1984',
      }),
    });
    expect(byDate.status).toBe(422);
  });

  test('is sent three times an hour, and asking is answered alike all the while', async () => {
    const application = await makeApplication(platform, { paid: false });
    await mails();
    for (let count = 0; count < 6; count += 1) {
      expect((await ask(application.number)).headers.get('location')).toContain('sent=copy');
    }
    expect(await mails()).toHaveLength(3);
  });

  test('is not opened by the link to another kind of file', async () => {
    const application = await makeApplication(platform, { paid: false });
    const expires = new Date(platform.now().getTime() + 60_000);
    const forged = platform.signer.sign({ applicationId: application.id }, 'download', expires);
    expect((await request(`/copies/${forged}`)).headers.get('location')).toBe('/download');
  });

  test.each(languageCodes)('is drawn in %s with every answer', async (code) => {
    const application = await makeApplication(platform, { paid: false, language: code });
    const groups = needed(await copyGroups(platform, application, code));
    const values = groups.flatMap(({ rows }) => rows.map(({ value }) => value));
    for (const answer of ['A01234547', 'Nomsa Naidoo', 'Durban', 'Naidoo', application.email])
      expect(values).toContain(answer);
    expect(groups.flatMap(({ rows }) => rows).filter(({ term }) => /^\w+\.\w+/.test(term))).toEqual(
      [],
    );
    await mails();
    await ask(application.number);
    const file = await request(linkIn((await mails())[0]?.text));
    expect(file.status).toBe(200);
    const drawn = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true });
    expect(drawn.totalPages).toBe(1);
    expect(drawn.text).toContain('A01234547');
  });

  test('of an insurance says the plan and the last insured day', async () => {
    const { id } = await makeInsurance(platform);
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
    const { id } = await makeInsurance(platform);
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
