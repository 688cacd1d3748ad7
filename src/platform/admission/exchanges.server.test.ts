import { expect, test } from 'vitest';
import { makeExchanges } from './exchanges.server.ts';

const bounds = {
  byAddress: 10,
  uploadsByAddress: 6,
  bytesByAddress: 100,
  bytes: 100,
  uploadMs: 1000,
};

test('beside an upload that is worked on there is room for as much less of others', () => {
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
  expect(exchanges.present()).toEqual({ count: 1, bytes: 40 });

  first.end();
  const third = begin('3');
  third.becomeUpload();
  third.hold(100);
  third.keep();
  expect(cut).toEqual(['2']);
});

test('a small body is not cut by uploads that are worked on, behind their own address either', () => {
  const exchanges = makeExchanges(bounds);
  const cut: string[] = [];
  for (const name of ['1', '2']) {
    const upload = exchanges.begin(`127.0.0.${name}`, () => cut.push(name));
    upload.becomeUpload();
    upload.hold(25);
    upload.keep();
  }
  for (const name of ['1', '2', '3']) {
    exchanges.begin(`127.0.0.${name}`, () => cut.push(`form of ${name}`)).hold(3);
  }
  expect(cut).toEqual([]);
});
