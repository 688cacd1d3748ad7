import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { choosing, optionsOf } from './option-markup.ts';

const option = fc.record({ id: fc.string(), name: fc.string() });
const options = fc.uniqueArray(option, { selector: ({ id }) => id, maxLength: 6 });

test('options are what React makes of them, whatever stands in them', () => {
  fc.assert(
    fc.property(options, fc.nat(8), (list, at) => {
      const chosen = list[at]?.id ?? 'none';
      const ours = choosing(optionsOf(list), chosen);
      const theirs = renderToStaticMarkup(
        <select defaultValue={chosen}>
          {list.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>,
      );
      expect(parseFragment(`<select>${ours}</select>`)).toEqual(parseFragment(theirs));
    }),
  );
});
