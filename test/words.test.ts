import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';

const source = join(projectRoot, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(ts|tsx|css)$/.test(name),
);

/** Words that `docs/words.md` replaces, in the names of files. */
const inFileNames =
  /\b(forget|dossier|handover|verdict|evidence|gather|misbehave|chase|stranger|keep|kept|judged?|told|along|way-on|useless|undone|trouble|briefly|letters?)\b/;

/** Emails are not called letters; letters of the alphabet may be. */
const letter =
  /^(?:export )?(?:async )?(?:function|const|type|class) (\w*letter(?!s)\w*|\w*letters(?:Of|By|Section)\w*)/gim;

/** The same at the beginning of declared names. */
const declared =
  /^(?:export )?(?:async )?(?:function|const|type|class) ((?:forget|trouble|Trouble|(?:add|take)Trouble|giveBack|takesBack|heldBack|dossier|handover(?!Photos)|verdict|misbehave|(?:is)?[Ll]eaf(?:ed|Through)|take(?:Form|Step|Review|Change)|hold(?:Application|Order|Settings|Countries|Party)|keep(?=(?:Sent|Form|Answer|Plans|File)\b)|judge)\w*)/gim;

/** What a call, a form or a provider came to is named by what it is: a result, a notification, an answer. */
const reportedSpeech =
  /^(?:export )?(?:async )?(?:function|const|let|type|class|interface) (said|told|\w*(?:Said|Told)|Concerned\w*|[Bb]eginner\w*|builtOnce\w*|[Dd]eeds?(?:[A-Z]\w*)?)\b/gm;

/** The same inside functions. */
const localSpeech = /^[ \t]+(?:const|let) (said|told)\b/gm;

/** Names of types that say nothing of what they hold. */
const vague =
  /^(?:export )?(?:type|interface) (Asked|Wanted|Looking|Standing|Situation|Refusal|Judged|Along|Alongside)\b/gm;

test('no file is named by a word of our own', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((name) => inFileNames.test(basename(name)))).toEqual([]);
});

test('nothing is declared by a word of our own', () => {
  const found = files.flatMap((name) =>
    [declared, letter, vague, reportedSpeech, localSpeech].flatMap((pattern) =>
      [...readFileSync(join(source, name), 'utf8').matchAll(pattern)].map(
        ([, word]) => `${name}: ${word}`,
      ),
    ),
  );
  expect(found).toEqual([]);
});

test('a rule of the customer’s specification is written out, and cited by no section of a document that is not here', () => {
  const found = files.flatMap((name) =>
    [
      ...readFileSync(join(source, name), 'utf8').matchAll(
        /specification[^.\n]{0,40}\bsections? \d|product\.md|specification\.md/gi,
      ),
    ].map(([words]) => `${name}: ${words}`),
  );
  expect(found).toEqual([]);
});

test('only React hooks are named use…', () => {
  const found = files
    .filter((name) => name.endsWith('.server.ts'))
    .flatMap((name) =>
      [
        ...readFileSync(join(source, name), 'utf8').matchAll(
          /^(?:export )?(?:async )?(?:function|const) (use[A-Z]\w*)/gm,
        ),
      ].map(([, word]) => `${name}: ${word}`),
    );
  expect(found).toEqual([]);
});

test('what a function throws stands under @throws', () => {
  const found = files.flatMap((name) =>
    [...readFileSync(join(source, name), 'utf8').matchAll(/^[ \t]*\/\*\*[^]*?\*\//gm)]
      .map(([comment]) => comment)
      .filter((comment) =>
        /(^|[.;:*]\s+|, or )throws\s(?!away)/im.test(comment.replace('never throws', '')),
      )
      .map((comment) => `${name}: ${comment}`),
  );
  expect(found).toEqual([]);
});
