import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const strings = z.array(z.string());

/** The part of the format used here (compose-spec); unknown keys fail, so that typing mistakes are found. */
const service = z.strictObject({
  build: z.string().optional(),
  image: z.string().optional(),
  entrypoint: strings.optional(),
  command: strings.optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  read_only: z.boolean().optional(),
  tmpfs: strings.optional(),
  cap_drop: strings,
  cap_add: strings.optional(),
  security_opt: strings,
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  shm_size: z.string().optional(),
  pids_limit: z.number().optional(),
  mem_limit: z.string().optional(),
  env_file: z.string().optional(),
  /** Without a value: the one in `.env`. */
  environment: z.record(z.string(), z.string().nullable()).optional(),
  networks: strings,
  volumes: strings.optional(),
  ports: strings.optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    )
    .optional(),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({ test: strings, interval: z.string(), retries: z.number() }),
    ])
    .optional(),
});

const compose = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.null()),
});

export type ComposeService = z.infer<typeof service>;

export const readCompose = (root: string) =>
  compose.parse(parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }));

/** The variables that `.env.example` lists, in order. */
export function exampleVariables(root: string): string[] {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  return [...text.matchAll(/^([A-Z0-9_]+)=$/gm)].map(([, name = '']) => name);
}

/** Names of variables that a text takes from the environment. */
export const interpolated = (text: string): string[] =>
  [...text.matchAll(/\$\{(\w+)[^}]*\}/g)].map(([, name = '']) => name);

/**
 * The environment of a service, with the values of `.env`, and those of its own file.
 * @throws Error for a required variable that is missing.
 */
export function environmentOf(
  { env_file: file, environment = {} }: ComposeService,
  values: Record<string, string>,
  ofFile: Record<string, string> = {},
): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+)(:\?[^}]*)?\}/g, (_, name: string) => {
      const value = values[name];
      if (!value) throw new Error(`${name} is not set`);
      return value;
    });
  const own = Object.entries(environment).flatMap(([name, text]) => {
    const value = text === null ? values[name] : fill(text);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...(file ? ofFile : {}), ...Object.fromEntries(own) };
}
