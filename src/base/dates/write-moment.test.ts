import { describe, expect, it, test } from 'vitest';
import { languages } from '../languages.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { joinMoment, writeMoment } from './write-moment.ts';

const at = new Date('2026-12-04T12:16:00Z');
const written = (zone: string | null, moment = at, today?: Date) =>
  joinMoment(
    writeMoment(moment, { t: textsIn('en', 'ui'), language: 'en', zone, style: 'short', today }),
  );

test.each([
  [null, 'Fri 4 Dec, 12:16 UTC (15:16 in Türkiye)'],
  ['UTC', 'Fri 4 Dec, 12:16 UTC (15:16 in Türkiye)'],
  ['America/Mexico_City', 'Fri 4 Dec, 06:16 UTC−6 (15:16 in Türkiye)'],
  ['Europe/Istanbul', 'Fri 4 Dec, 15:16 in Türkiye'],
])('a moment for a reader in %s', (zone, text) => {
  expect(written(zone)).toBe(text);
});

describe('a moment', () => {
  it('says the day in Türkiye where that is another', () => {
    expect(written(null, new Date('2026-12-04T21:30:00Z'))).toBe(
      'Fri 4 Dec, 21:30 UTC (Sat 5 Dec, 00:30 in Türkiye)',
    );
  });

  it('may say today', () => {
    expect(written(null, at, new Date('2026-12-04T09:00:00Z'))).toBe(
      'Today, 12:16 UTC (15:16 in Türkiye)',
    );
    expect(written(null, at, new Date('2026-12-03T09:00:00Z'))).not.toContain('Today');
  });

  it.each(languages)('names Türkiye once and no zone beside it, in $code', ({ code }) => {
    const t = textsIn(code, 'ui');
    for (const zone of [null, 'Asia/Dubai', 'Europe/Istanbul']) {
      const text = joinMoment(writeMoment(at, { t, language: code, zone, style: 'long' }));
      expect(text.match(/Türkiye|Türkei|Turquie|Turquía|تركيا/g)).toHaveLength(1);
      expect(text).not.toContain('UTC+3');
      expect(text).toContain('15:16');
    }
  });
});
