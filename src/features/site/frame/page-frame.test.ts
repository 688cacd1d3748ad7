import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';
import { cardBrands } from '~/platform/config/sample-operator.ts';

test('every card has its view in the drawing of all, and none is left over', () => {
  const drawn = readFileSync(join(projectRoot, 'public/cards.svg'), 'utf8');
  const views = [...drawn.matchAll(/<view id="(\w+)"/g)].map(([, id]) => id);
  expect(views.toSorted()).toEqual(cardBrands.toSorted());
});
