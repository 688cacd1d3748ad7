import { maskEmail } from './open-case.server.ts';
import { expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { buildTimeline } from './case-file-sections.tsx';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 10, minute));

test('everything that happened is one list, the newest last, with who did it', () => {
  const list = buildTimeline({
    events: [
      { kind: 'submitted', at: at(0), by: null },
      { kind: 'paid', at: at(2), by: null },
      { kind: 'rejected', at: at(9), by: 'E. Aydın' },
    ],
    refunds: [
      {
        id: 'r',
        amount: usd(25_00),
        state: 'completed',
        requestedAt: at(11),
        requestedBy: 'E. Aydın',
        releasedAt: at(12),
        releasedBy: 'M. Kaya',
        decidedAt: at(13),
      },
    ],
    auditEntries: [{ id: 1, action: 'duplicate_dismissed', at: at(4), by: 'E. Aydın' }],
    claim: { at: at(14), by: 'M. Kaya' },
  });
  expect(list.map(({ event, by }) => [event, by])).toEqual([
    ['submitted', null],
    ['paid', null],
    ['duplicate_dismissed', 'E. Aydın'],
    ['rejected', 'E. Aydın'],
    ['refund_asked', 'E. Aydın'],
    ['refund_released', 'M. Kaya'],
    ['refund_completed', null],
    ['claimed', 'M. Kaya'],
  ]);
  expect(new Set(list.map(({ key }) => key)).size).toBe(list.length);
});

test.each([
  ['thabo@example.org', 't•••o@example.org'],
  ['jo@example.org', 'j•••@example.org'],
  ['x@example.org', 'x•••@example.org'],
  ['"a@b"@example.org', '"•••"@example.org'],
  ['nobody', '•••'],
  ['@example.org', '•••'],
])('%s is shown as %s', (address, shown) => {
  expect(maskEmail(address)).toBe(shown);
});
