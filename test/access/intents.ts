import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'src');
const desk = join(source, 'features', 'desk');

/** A form's button or hidden field, a component's property, and what the server compares or looks up. */
const spelled = [
  /<\w+\s[^<>]*?name="intent"[^<>]*?value="(\w+)"/g,
  /\sintent="(\w+)"/g,
  /\bintent [!=]== '(\w+)'/g,
];
const cases = /case '(\w+)':/g;

/** Every intent that the page of a route module names, in the desk's modules that it imports. */
export function routeIntents(routeFile: string): Set<string> {
  const found = new Set<string>();
  // A page without an action takes no form; modules shared with others may name intents.
  if (!/export (async function|const) action/.test(readFileSync(join(source, routeFile), 'utf8'))) {
    return found;
  }
  for (const file of modulesOf(join(source, routeFile))) {
    const text = readFileSync(file, 'utf8');
    const readsIntent = /(get|formText)\((form, )?'intent'\)/.test(text);
    const patterns = readsIntent ? [...spelled, cases] : spelled;
    for (const pattern of patterns) {
      for (const [, intent = ''] of text.matchAll(pattern)) found.add(intent);
    }
  }
  return found;
}

/** A module and its imports among the desk's. */
function modulesOf(entry: string): Set<string> {
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file) || !file.startsWith(desk) || !existsSync(file)) return;
    seen.add(file);
    for (const [, named = ''] of readFileSync(file, 'utf8').matchAll(/from '([~.][^']+)'/g)) {
      follow(named.startsWith('~/') ? join(source, named.slice(2)) : resolve(dirname(file), named));
    }
  };
  follow(entry);
  return seen;
}
