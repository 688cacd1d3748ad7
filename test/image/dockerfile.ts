import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, matchesGlob } from 'node:path';

export type Instruction = { name: string; rest: string };

/** The instructions of a Dockerfile, each on one line. */
export function readDockerfile(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name: name.toUpperCase(), rest };
    });
}

/** Copies the build's files: those that git knows or would add, except those in `.dockerignore`. */
export function copyContext(root: string, into: string): void {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    const isIgnored = ignored.some(
      (pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`),
    );
    if (!isIgnored && existsSync(join(root, file))) cpSync(join(root, file), join(into, file));
  }
}

export type Stage = {
  /** Where its root folder is. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user?: string;
  command: string[];
  healthcheck: string[];
};

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function execForm(rest: string): string[] {
  const parsed: unknown = JSON.parse(rest.slice(rest.indexOf('[')));
  if (!isStrings(parsed)) throw new Error(`Not in exec form: ${rest}`);
  return parsed;
}

/**
 * Executes the instructions in folders of their own, one for each stage, and returns the last. Base images are replaced
 * by this machine: its Node, npm and shell.
 * @throws Error for an unknown instruction, or one that fails.
 */
export function build(
  instructions: readonly Instruction[],
  options: { context: string; into: string; path: string; say: (line: string) => void },
): Stage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, rest } of instructions) {
    options.say(`${name} ${rest}`);
    if (name === 'FROM') {
      const [, as = 'final'] = / AS (\w+)$/i.exec(rest) ?? [];
      const root = join(options.into, as);
      mkdirSync(root, { recursive: true });
      stage = { root, workdir: '/', env: {}, command: [], healthcheck: [] };
      stages.set(as, stage);
      continue;
    }
    if (!stage) throw new Error('A Dockerfile begins with FROM');
    const { root } = stage;
    const cwd = join(root, stage.workdir);
    if (name === 'WORKDIR') {
      stage.workdir = rest;
      mkdirSync(join(root, rest), { recursive: true });
    } else if (name === 'ENV') {
      for (const pair of rest.split(/\s+/)) {
        const [key = '', value = ''] = pair.split(/=(.*)/s);
        stage.env[key] = value;
      }
    } else if (name === 'COPY') {
      const [, from] = /^--from=(\w+) /.exec(rest) ?? [];
      const base = from ? stages.get(from)?.root : options.context;
      if (!base) throw new Error(`There is no stage ${from}`);
      copy(rest.replace(/^--from=\w+ /, '').split(/\s+/), base, root, cwd);
    } else if (name === 'RUN') {
      // Folders of the image are those of its stage.
      const command = rest.replaceAll(/(?<=^|\s)\/(?=(app|data)\b)/g, `${root}/`);
      const { status } = spawnSync('sh', ['-ec', command], {
        cwd,
        env: { ...process.env, NODE_ENV: '', ...stage.env, PATH: options.path },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      if (status !== 0) throw new Error(`RUN ${rest} ended with ${status}`);
    } else if (name === 'USER') stage.user = rest;
    else if (name === 'CMD') stage.command = execForm(rest);
    else if (name === 'HEALTHCHECK') stage.healthcheck = execForm(rest);
    else if (name !== 'EXPOSE') throw new Error(`${name} is not known here`);
  }
  if (!stage) throw new Error('A Dockerfile begins with FROM');
  return stage;
}

/** As Docker copies: of a folder its contents, of a file the file itself. */
function copy(words: readonly string[], base: string, root: string, cwd: string): void {
  const to = words.at(-1) ?? '';
  const target = isAbsolute(to) ? join(root, to) : join(cwd, to);
  for (const source of words.slice(0, -1)) {
    const from = join(base, source);
    const isFolder = spawnSync('test', ['-d', from]).status === 0;
    const isInto = to.endsWith('/') || words.length > 2;
    const place = !isFolder && isInto ? join(target, basename(source)) : target;
    mkdirSync(isFolder ? place : dirname(place), { recursive: true });
    const { status } = spawnSync('cp', ['-a', isFolder ? `${from}/.` : from, place], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`COPY ${source} failed`);
  }
}
