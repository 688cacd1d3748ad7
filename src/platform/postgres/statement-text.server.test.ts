import { eq, sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { knownChanges, knownStatement } from './statement-text.server.ts';

const { db } = await useDatabase();
const upper = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => value.toUpperCase(),
});
const words = pgTable('words', { word: upper(), note: text() });

test('a statement is built once and sent with other values each time, written as their columns are', async () => {
  let times = 0;
  const statement = knownStatement(() => {
    times += 1;
    const word = sql.param(sql.placeholder('word'), words.word);
    return sql`select ${word}::text as word, ${sql.placeholder('note')}::text as note, ${7}::int as seven`;
  });
  const first = await db.execute(statement({ word: 'one', note: 'a' }));
  const second = await db.execute(statement({ word: null, note: null }));
  expect([first.rows, second.rows, times]).toEqual([
    [{ word: 'ONE', note: 'a', seven: 7 }],
    [{ word: null, note: null, seven: 7 }],
    1,
  ]);
});

test('a value that is missing is a mistake, never null', () => {
  const found = knownStatement(
    () => sql`select 1 where ${eq(words.note, sql.placeholder('note'))}`,
  );
  expect(() => found({})).toThrow('No value for note');
});

test('changes are made of the given columns of the rows that are meant, and an undefined value changes nothing', async () => {
  await db.execute(sql`create table words (word text, note text)`);
  await db.execute(sql`insert into words values ('A', 'first'), ('B', 'second')`);
  const change = knownChanges(words, eq(words.note, sql.placeholder('note')));
  const both = await db.execute(change({ word: 'c', note: 'third' }, { note: 'second' }));
  const one = await db.execute(change({ word: undefined, note: null }, { note: 'first' }));
  const none = await db.execute(change({ note: null }, { note: 'nobody' }));
  expect([both.rowCount, one.rowCount, none.rowCount]).toEqual([1, 1, 0]);
  const { rows } = await db.execute(sql`select word, note from words order by word`);
  expect(rows).toEqual([
    { word: 'A', note: null },
    { word: 'C', note: 'third' },
  ]);
});
