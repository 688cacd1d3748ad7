import { expect, test } from 'vitest';
import { makeExchanges } from './exchanges.server.ts';

const bounds = {
  byAddress: 10,
  uploadsByAddress: 6,
  bytesByAddress: 100,
  bytes: 100,
  uploadMs: 1000,
};

test('an upload that is worked on counts twice, and cuts others instead of being cut', () => {
  const exchanges = makeExchanges(bounds);
  const cut: string[] = [];
  const begin = (name: string) => exchanges.begin(`127.0.0.${name}`, () => cut.push(name));
  const [first, second] = [begin('1'), begin('2')];
  first.becomeUpload();
  first.hold(40);
  second.becomeUpload();
  second.hold(30);
  expect(cut).toEqual([]);

  first.keep();
  expect(cut).toEqual(['2']);
  expect(exchanges.present()).toEqual({ count: 1, bytes: 80 });

  const third = begin('3');
  third.hold(20);
  expect(cut).toEqual(['2']);
  first.end();
  expect(exchanges.present()).toEqual({ count: 1, bytes: 20 });
  third.hold(80);
  third.keep();
  expect(cut).toEqual(['2']);
});
