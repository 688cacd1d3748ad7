import { describe, expect, it } from 'vitest';
import { dismissToast, removeToast, showToast } from './toast-queue.ts';

const toast = (id: number) => ({ id, open: true, content: `message ${id}` });

describe('toasts', () => {
  it('are shown one at a time, the newest', () => {
    expect(showToast(showToast([], toast(1)), toast(2))).toEqual([toast(2)]);
  });

  it('stay in the list when dismissed, closed, until they are removed', () => {
    const dismissed = dismissToast([toast(1)], 1);
    expect(dismissed).toEqual([{ ...toast(1), open: false }]);
    expect(removeToast(dismissed, 1)).toEqual([]);
  });

  it('are not touched by what happens to another', () => {
    expect(dismissToast([toast(2)], 1)).toEqual([toast(2)]);
    expect(removeToast([toast(2)], 1)).toEqual([toast(2)]);
  });
});
