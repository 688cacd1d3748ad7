import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { bareOptions } from './bare-server.ts';
import { onProcessor, placing } from './processor.ts';

const script = (name: string) => join(import.meta.dirname, name);
const production = { ...process.env, NODE_ENV: 'production' };

/** A temporary file, deleted by `end`. */
function fileWith(content: string): { path: string; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'lale-bench-bare-'));
  const path = join(folder, 'given');
  writeFileSync(path, content);
  return { path, end: () => rmSync(folder, { recursive: true, force: true }) };
}

const rendered = z.object({
  /** Processor time of one render. */
  ms: z.number(),
  elements: z.number(),
  bytes: z.number(),
  /** Of the page as the service sent it, decompressed. */
  served: z.number(),
});
export type RenderedPage = z.infer<typeof rendered>;

/** Measures React alone, on the processor on which the service is measured. */
export function renderBare(html: string): RenderedPage {
  const given = fileWith(html);
  const [program, ...args] = [
    ...onProcessor(placing.web),
    process.execPath,
    script('bare-react.ts'),
    given.path,
  ];
  try {
    return rendered.parse(JSON.parse(execFileSync(program, args, { env: production }).toString()));
  } finally {
    given.end();
  }
}

/** Starts `node:http` alone, on the processor on which the service is measured. */
export async function startBare(options: z.infer<typeof bareOptions>) {
  const given = fileWith(JSON.stringify(options));
  const [program, ...args] = [
    ...onProcessor(placing.web),
    process.execPath,
    script('bare-server.ts'),
    given.path,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: production });
  const answers = () =>
    fetch(`http://127.0.0.1:${options.port}/nothing`).then(
      () => true,
      () => false,
    );
  for (let tries = 0; !(await answers()); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error('The bare server did not start');
    await wait(50);
  }
  return {
    pid: child.pid ?? 0,
    stop() {
      child.kill('SIGTERM');
      given.end();
    },
  };
}
