import De from 'country-flag-icons/react/3x2/DE';
import Es from 'country-flag-icons/react/3x2/ES';
import Fr from 'country-flag-icons/react/3x2/FR';
import Gb from 'country-flag-icons/react/3x2/GB';
import Sa from 'country-flag-icons/react/3x2/SA';
import Tr from 'country-flag-icons/react/3x2/TR';
import type { languages } from '~/base/languages.ts';

const flags = { GB: Gb, TR: Tr, FR: Fr, DE: De, ES: Es, SA: Sa };

/** 24 x 17; the name of the language stands beside it. */
export function Flag({ code }: { code: (typeof languages)[number]['flag'] }) {
  const Drawing = flags[code];
  return (
    <span aria-hidden="true" className="flag">
      <Drawing />
    </span>
  );
}
