import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('what is prepared first does not get into the output of a command, which an operator may keep', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'run.mjs'));
  const program = `import { run, say } from ${module};
    say('Building.');
    run(process.execPath, ['-e', "console.log('added 700 packages')"]);
    console.log('SECRETS=drawn');`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('SECRETS=drawn\n');
  expect(stderr).toMatch(/Building\.\nadded 700 packages/);
});

test.each([
  ['bench', 'service'],
  ['bench', 'pages'],
  ['drill', 'crash'],
  ['drill', 'failover'],
  ['drill', 'cluster'],
  ['drill', 'reviewers'],
  ['drill', 'restore'],
])('%s %s loads what it imports, as Node alone resolves it', (kind, name) => {
  const program = join(import.meta.dirname, 'program.ts');
  const { stderr } = spawnSync(process.execPath, [program, kind, name, '--unknown'], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('ERR_PARSE_ARGS_UNKNOWN_OPTION');
});
