import { expect, test } from 'vitest';
import { shortManifest } from './precompress.ts';

test('browsers get the manifest without what they never read', () => {
  const entry = '{"entry":{"module":"/e.js","imports":["/a.js","/b.js"]},';
  const page =
    '"routes":{"home":{"id":"home","hasAction":false,"hasLoader":true,"module":"/h.js","imports":["/a.js"],"css":["/s.css"]}}}';
  expect(JSON.parse(shortManifest(entry + page))).toEqual({
    entry: { module: '/e.js', imports: [] },
    routes: {
      home: { id: 'home', hasLoader: true, module: '/h.js', imports: [], css: ['/s.css'] },
    },
  });
});

test('a manifest of another make is not taken for one', () => {
  expect(() => shortManifest('window.manifest = null')).toThrow('written otherwise');
});
