import { describe, expect, it } from 'vitest';
import { approve, placeApplication } from '../../../../test/applications.ts';
import { downloadAddress } from './download.server.ts';
import { unlimitedVisits } from '../testing/unlimited-visits.ts';

const { page, platform, request } = await unlimitedVisits();
const PDF = Buffer.from('%PDF-1.7\nan e-visa');

describe('the download', () => {
  const dateOfBirth = (day: string, month: string, year: string) => ({
    'dateOfBirth-day': day,
    'dateOfBirth-month': month,
    'dateOfBirth-year': year,
  });

  async function approved() {
    const { application } = await placeApplication(platform);
    await approve(platform, application, PDF);
    const give = (date: Record<string, string>) =>
      request(`/status?ref=${application.number}&download=yes`, {
        method: 'POST',
        headers: { origin: 'http://localhost' },
        body: new URLSearchParams({ ref: application.number, ...date }),
      });
    return { application, give };
  }

  const right = dateOfBirth('27', 'March', '1990');
  const wrong = dateOfBirth('28', '3', '1990');

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

  it('closes for an hour after five wrong dates, with the same words as for a wrong one', async () => {
    const { give } = await approved();
    const answers: string[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await give(wrong);
      expect(answer.status).toBe(422);
      answers.push(/id="dateOfBirth-error">.*?<\/p>/s.exec(await answer.text())?.[0] ?? '');
    }
    const locked = await give(right);
    expect(locked.status).toBe(422);
    answers.push(/id="dateOfBirth-error">.*?<\/p>/s.exec(await locked.text())?.[0] ?? '');
    expect(answers[0]).toContain('We could not open the document.');
    expect(new Set(answers).size).toBe(1);
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
    const { application } = await placeApplication(platform);
    const { search } = new URL(downloadAddress(platform, application));
    const { response, html } = await page(`/download${search}`);
    expect(response.status).toBe(404);
    expect(html).toContain('Your document is not ready yet');
  });
});
