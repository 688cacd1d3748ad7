import { describe, expect, it } from 'vitest';
import { languages } from '~/base/languages.ts';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { calendarEntry } from './calendar-entry.server.ts';
import { makeApplication } from '../../../test/make.ts';

const view = {
  kind: 'visa',
  number: 'TRV7K2M9QXD4HPBX',
  createdAt: new Date('2026-11-23T08:30:00Z'),
  promisedAt: new Date('2026-11-25T14:30:00Z'),
  decidedAt: null,
} as const;
const now = new Date('2026-11-23T09:00:00Z');
const at = { publicUrl: 'https://lale.example', now };
/** RFC 5545, 3.1: a line of more than 75 bytes goes on in the next one, after a space. */
const unfolded = (file: string) => file.replaceAll(/\r\n[ \t]/g, '');

describe('a calendar entry', () => {
  it.each(languages)('in $code has the promised moment in UTC and the status page', ({ code }) => {
    const lines = unfolded(calendarEntry(view, { ...at, language: code }) ?? '').split('\r\n');
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines).toContain('DTSTART:20261125T143000Z');
    // It must be later than the start, and a moment has no length.
    expect(lines.filter((line) => line.startsWith('DTEND'))).toEqual([]);
    expect(lines).toContain('DTSTAMP:20261123T090000Z');
    expect(lines).toContain('UID:TRV7K2M9QXD4HPBX@lale.example');
    const address = `https://lale.example/${code}/status?ref=TRV7K2M9QXD4HPBX`;
    expect(lines.find((line) => line.startsWith('URL'))).toContain(address);
    expect(lines.find((line) => line.startsWith('DESCRIPTION'))).toContain(address);
    expect(lines.find((line) => line.startsWith('SUMMARY'))).not.toMatch(/calendar\.|\{\{/);
  });

  it('has lines of at most 75 bytes, also in Arabic', () => {
    const file = calendarEntry(view, { ...at, language: 'ar' }) ?? '';
    const lengths = file.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
  });

  it('replaces an earlier one once the promised moment has moved', () => {
    const sequence = (promisedAt: Date) => {
      const file = calendarEntry({ ...view, promisedAt }, { ...at, language: 'en' }) ?? '';
      return Number(/SEQUENCE:(\d+)/.exec(file)?.[1]);
    };
    const later = new Date(view.promisedAt.getTime() + 60_000);
    expect(sequence(view.promisedAt)).toBe(sequence(view.promisedAt));
    expect(sequence(later)).toBeGreaterThan(sequence(view.promisedAt));
  });

  it('speaks of the certificate of an insurance', () => {
    const entry = calendarEntry({ ...view, kind: 'insurance' }, { ...at, language: 'en' });
    expect(entry).toContain('SUMMARY:Insurance certificate: check the status');
  });

  it('is none where nothing is promised, it is decided, or the moment has passed', () => {
    expect(calendarEntry({ ...view, promisedAt: null }, { ...at, language: 'en' })).toBeNull();
    expect(calendarEntry({ ...view, decidedAt: now }, { ...at, language: 'en' })).toBeNull();
    expect(calendarEntry({ ...view, promisedAt: now }, { ...at, language: 'en' })).toBeNull();
  });
});

describe('the address of the entry', async () => {
  const { page, platform, request } = await unlimitedVisits();

  it('is on the status page of who waits, and answers with a file without a name in it', async () => {
    const application = await makeApplication(platform, {
      paid: false,
      promisedAt: new Date(platform.now().getTime() + 86_400_000),
    });
    const { html } = await page(`/de/status?ref=${application.number}`);
    const address = `/de/status/calendar?ref=${application.number}`;
    expect(html).toContain(`href="${address}"`);
    const answer = await request(address);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.headers.get('content-disposition')).toContain(`${application.number}.ics`);
    const file = await answer.text();
    expect(file).toContain('E-Visum');
    expect(file).not.toContain(application.lastName);
  });

  it('is not offered once the promised moment has passed', async () => {
    const application = await makeApplication(platform, {
      paid: false,
      promisedAt: platform.now(),
    });
    const path = `/status?ref=${application.number}`;
    expect((await page(path)).html).not.toContain('/status/calendar');
    const answer = await request(`/status/calendar?ref=${application.number}`);
    expect(answer.headers.get('location')).toBe(path);
  });

  it('leads to the status page where there is no file', async () => {
    const application = await makeApplication(platform, { paid: false });
    for (const typed of [application.number, 'TRV12', '']) {
      const answer = await request(`/status/calendar?ref=${typed}`);
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe(`/status?ref=${typed}`);
    }
    expect((await page(`/status?ref=${application.number}`)).html).not.toContain(
      '/status/calendar',
    );
  });
});
