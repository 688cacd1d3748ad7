import { describe, expect, it } from 'vitest';
import { downloadAddress } from './download.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import { lookupLimits } from './lookup.server.ts';
import { BIRTH_DATE_TRIES_MONTH } from './status-view.ts';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { approve, makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { page, platform, request } = await unlimitedVisits();
async function mails() {
  platform.sent.length = 0;
  await platform.runJobs(emailJobs(platform));
  return [...platform.sent];
}
const PDF = Buffer.from('%PDF-1.7\nan e-visa');

describe('the download', () => {
  const dateOfBirth = (day: string, month: string, year: string) => ({
    'dateOfBirth-day': day,
    'dateOfBirth-month': month,
    'dateOfBirth-year': year,
  });

  async function approved() {
    const application = await makeApplication(platform, { paid: false });
    await approve(platform, application, PDF);
    const give = (date: Record<string, string>, cookie = '') =>
      request(`/status?ref=${application.number}&download=yes`, {
        method: 'POST',
        headers: { origin: 'http://localhost', cookie },
        body: new URLSearchParams({ ref: application.number, ...date }),
      });
    return { application, give };
  }

  const right = dateOfBirth('2', 'May', '1984');
  const wrong = dateOfBirth('3', '5', '1984');

  it('is offered once there is a document', async () => {
    const { application } = await approved();
    const first = await page(`/status?ref=${application.number}`);
    expect(first.html).toContain('Download e-visa');
    const asked = await page(`/status?ref=${application.number}&download=yes`);
    expect(asked.html).toContain('name="dateOfBirth-day"');
  });

  it('opens by date of birth, for ten minutes, as a file to keep', async () => {
    const { application, give } = await approved();
    const answer = await give(right);
    expect(answer.status).toBe(302);
    const link = answer.headers.get('location') ?? '';
    expect(link).toMatch(/^\/documents\/[\w-]{22}$/);
    const file = await request(link);
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="evisa-${application.number}.pdf"`,
    );
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    platform.clock.advance(11 * 60_000);
    const late = await request(link);
    expect(late.status).toBe(302);
    expect(late.headers.get('location')).toBe('/download');
    const { response, html } = await page('/download');
    expect(response.status).toBe(410);
    expect(html).toContain('href="/status"');
  });

  it('keeps no token that would open anything', async () => {
    const { give } = await approved();
    const token = ((await give(right)).headers.get('location') ?? '').slice('/documents/'.length);
    const { rows } = await platform.pool.query('select * from download_link');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('closes for an hour after five wrong dates, says until when, and has the link sent', async () => {
    const { application, give } = await approved();
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await give(wrong);
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain('We could not open the document.');
    }
    const locked = await give(right);
    expect(locked.status).toBe(422);
    const html = await locked.text();
    expect(html).toMatch(/Locked until \d\d:\d\d UTC\. The link in our email still works\./);
    expect(html).toContain('Email me the link');
    const sent = await give({ send: 'document' });
    expect(sent.headers.get('location')).toBe(`/status?ref=${application.number}&sent=document`);
    const [mail] = await mails();
    expect(mail?.to).toBe(application.email);
    const link = new URL(/https?:\S+\/download\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    expect((await request(link.pathname + link.search)).headers.get('location')).toMatch(
      /^\/en\/documents\//,
    );
  });

  it('is neither counted nor locked in the payer’s own browser', async () => {
    const { application, give } = await approved();
    const order = needed(await orderByApplication(platform.db, application.number));
    const session = ensureSession(platform, new Request('http://localhost'));
    await addPayerDevice(platform.db, {
      orderId: order.id,
      sessionHash: session.hash,
      createdAt: platform.now(),
    });
    const cookie = session.setCookie.split(';')[0] ?? '';
    for (let attempt = 0; attempt < 30; attempt++) await give(wrong, cookie);
    // A stranger locks it for strangers; the payer goes on.
    for (let attempt = 0; attempt < 6; attempt++) await give(wrong);
    expect((await give(right)).status).toBe(422);
    expect((await give(right, cookie)).status).toBe(302);
  });

  it('closes for a month after twenty wrong dates, and its owner is told once', async () => {
    const { application, give } = await approved();
    await mails();
    const { birthDate } = lookupLimits(platform);
    for (let attempt = 0; attempt < BIRTH_DATE_TRIES_MONTH; attempt++) {
      // A right one in between does not give a guesser further tries.
      if (attempt % 4 === 3) expect((await give(right)).status).toBe(302);
      expect((await give(wrong)).status).toBe(422);
      await birthDate.reset(application.id);
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const html = await (await give(right)).text();
      expect(html).toMatch(/Locked until \w+ \d+ \w+/);
    }
    const sent = await mails();
    expect(sent.map(({ to, subject }) => [to, subject.split(':')[0]])).toEqual([
      [application.email, 'Wrong dates of birth for your application'],
    ]);
    const { pathname, search } = new URL(downloadAddress(platform, application));
    expect((await request(pathname + search)).status).toBe(302);
  });

  it('resets the count of wrong dates after a right one', async () => {
    const { give } = await approved();
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 4; attempt++) expect((await give(wrong)).status).toBe(422);
      expect((await give(right)).status).toBe(302);
    }
  });

  it('opens by the link of the e-mail, for seven days', async () => {
    const { application } = await approved();
    const { pathname, search } = new URL(downloadAddress(platform, application));
    expect(pathname).toBe('/en/download');
    const answer = await request(pathname + search);
    const link = answer.headers.get('location') ?? '';
    expect(link).toMatch(/^\/en\/documents\//);
    expect((await request(link)).headers.get('content-type')).toBe('application/pdf');
    platform.clock.advance(7 * 24 * 3600_000 + 1000);
    expect((await request(pathname + search)).status).toBe(410);
  });

  it('does not open by a link that was changed or made for something else', async () => {
    const { application } = await approved();
    const { search } = new URL(downloadAddress(platform, application));
    expect((await request(`/download${search}x`)).status).toBe(410);
    const other = platform.signer.sign(
      { applicationId: application.id },
      'checkoutRedirect',
      new Date(platform.now().getTime() + 60_000),
    );
    expect((await request(`/download?token=${other}`)).status).toBe(410);
  });

  it('says so when the document is not there yet', async () => {
    const application = await makeApplication(platform, { paid: false });
    const { search } = new URL(downloadAddress(platform, application));
    const { response, html } = await page(`/download${search}`);
    expect(response.status).toBe(404);
    expect(html).toContain('Your document is not ready yet');
  });
});
