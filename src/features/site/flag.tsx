// By path: the package exports its drawings only as scripts; these files are loaded when the menu opens.
import de from '../../../node_modules/country-flag-icons/3x2/DE.svg';
import es from '../../../node_modules/country-flag-icons/3x2/ES.svg';
import fr from '../../../node_modules/country-flag-icons/3x2/FR.svg';
import gb from '../../../node_modules/country-flag-icons/3x2/GB.svg';
import sa from '../../../node_modules/country-flag-icons/3x2/SA.svg';
import tr from '../../../node_modules/country-flag-icons/3x2/TR.svg';
import type { languages } from '~/base/languages.ts';

const flags = { GB: gb, TR: tr, FR: fr, DE: de, ES: es, SA: sa };

/** 24 x 17 pixels, beside the name of the language. */
export function Flag({ code }: { code: (typeof languages)[number]['flag'] }) {
  return (
    <img
      alt=""
      className="h-4.25 w-6 flex-none rounded-[3px]"
      height={17}
      loading="lazy"
      src={flags[code]}
      width={24}
    />
  );
}
