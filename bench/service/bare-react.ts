/**
 * Measures what React alone costs for a page: the served HTML as a tree of `createElement` calls, built and rendered to
 * text repeatedly. Started by the bench with the file of that HTML; prints its figures as JSON.
 */
import { readFileSync } from 'node:fs';
import { parse, type DefaultTreeAdapterMap } from 'parse5';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { median } from './measure.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = { name: string; props: Record<string, unknown>; children: (Element | string)[] };

const BLOCKS = 7;
const ROUNDS = 400;
const WARM_ROUNDS = 2000;

/** Attributes with another name in React. */
const NAMES: Readonly<Record<string, string>> = { class: 'className', for: 'htmlFor' };
/** Attributes without a value. */
const BOOLEANS = new Set('async autofocus checked defer disabled hidden open required'.split(' '));
const RAW = new Set(['script', 'style']);

let elements = 0;

function read(node: Node): Element | string | null {
  if ('value' in node) return node.value;
  if (!('tagName' in node)) return null;
  elements += 1;
  const props: Record<string, unknown> = {};
  for (const { name, value } of node.attrs) {
    // React takes styles as objects; the pages have none.
    if (name === 'style') continue;
    props[NAMES[name] ?? name] = BOOLEANS.has(name) && value === '' ? true : value;
  }
  const children = node.childNodes.flatMap((child) => read(child) ?? []);
  if (!RAW.has(node.tagName)) return { name: node.tagName, props, children };
  const inner = {
    dangerouslySetInnerHTML: { __html: children.filter((one) => typeof one === 'string').join('') },
  };
  return { name: node.tagName, props: { ...props, ...inner }, children: [] };
}

const build = (node: Element | string): ReactNode =>
  typeof node === 'string'
    ? node
    : createElement(node.name, node.props, ...node.children.map(build));

const html = readFileSync(process.argv[2] ?? '', 'utf8');
const [tree] = parse(html).childNodes.flatMap((node) => read(node) ?? []);
if (tree === undefined) throw new Error('There is no page in it');
const Page = () => build(tree);
const render = () => renderToString(createElement(Page));

for (let round = 0; round < WARM_ROUNDS; round += 1) render();
const times: number[] = [];
for (let block = 0; block < BLOCKS; block += 1) {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) render();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000 / ROUNDS);
}
console.log(
  JSON.stringify({
    ms: median(times),
    elements,
    bytes: Buffer.byteLength(render()),
    served: Buffer.byteLength(html),
  }),
);
