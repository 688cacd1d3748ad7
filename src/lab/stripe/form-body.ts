/**
 * Reads a form as Stripe does: `a[b][0]=c` is `{ a: { b: ['c'] } }`. Every value is a text; an object whose names are
 * 0, 1, 2 … is a list.
 */
export function nestedForm(form: URLSearchParams): unknown {
  const root: Tree = new Map();
  for (const [name, value] of form) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    let at = root;
    const path = [first, ...rest];
    for (const part of path.slice(0, -1)) {
      const next = at.get(part);
      const inner: Tree = next instanceof Map ? next : new Map();
      at.set(part, inner);
      at = inner;
    }
    at.set(path.at(-1) ?? '', value);
  }
  return plain(root);
}

type Tree = Map<string, string | Tree>;

function plain(tree: Tree): unknown {
  const entries = [...tree].map(
    ([name, value]) => [name, typeof value === 'string' ? value : plain(value)] as const,
  );
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
