import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { languages } from '~/base/languages.ts';
import { ANSWERS_FORM, SWITCH_LANGUAGE, type CarriedAnswers } from '~/ui/answers-form.ts';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { MenuButton, MenuPanel } from '~/ui/menu.tsx';
import { languagePath } from '../navigation.ts';
import de from '../../../../node_modules/country-flag-icons/3x2/DE.svg';
import es from '../../../../node_modules/country-flag-icons/3x2/ES.svg';
import fr from '../../../../node_modules/country-flag-icons/3x2/FR.svg';
import gb from '../../../../node_modules/country-flag-icons/3x2/GB.svg';
import sa from '../../../../node_modules/country-flag-icons/3x2/SA.svg';
import tr from '../../../../node_modules/country-flag-icons/3x2/TR.svg';

// By path: the package exports its drawings only as scripts; these files are loaded when the menu opens.

const flags = { GB: gb, TR: tr, FR: fr, DE: de, ES: es, SA: sa };

/** 24 x 17 pixels, beside the name of the language. */
function Flag({ code }: { code: (typeof languages)[number]['flag'] }) {
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

/** Style of the header's round buttons. */
export const headerButton =
  'inline-flex h-11 items-center justify-center gap-2 rounded-full border border-line-2 text-ink hover:border-edge hover:bg-paper print:hidden';

const MENU = 'language-menu';
const nameOf = (language: string) => languages.find(({ code }) => code === language)?.name ?? '';

export function LanguageButton({ className }: { className: string }) {
  const { t, language } = useTranslation('site');
  const name = nameOf(language);
  return (
    <MenuButton
      button={
        <>
          <Icon name="globe" />
          <span>{name}</span>
          <Icon name="chevron" size={18} />
        </>
      }
      buttonClass={classNames('language-button font-medium', headerButton, className)}
      buttonLabel={t('language.button', { language: name })}
      id={MENU}
    />
  );
}

/**
 * Links to this page in each language. Plain anchors, as another language is another document. On a page with a form
 * each is a button that submits the form to that language's address, so that answers are kept. The menu must then
 * follow the form, whose first button is the one that Enter presses.
 */
export function LanguageMenu({
  carriedAnswers = null,
}: {
  carriedAnswers?: CarriedAnswers | null;
}) {
  const { t, language } = useTranslation('site');
  const { pathname, search } = usePage().address;
  return (
    <MenuPanel className="language-menu w-57.5" id={MENU}>
      <ul aria-label={t('language.label')}>
        {languages.map(({ code, name, flag, direction }) => {
          const row = {
            'aria-current': code === language ? ('true' as const) : undefined,
            className: 'menu-row',
            lang: code,
          };
          const content = (
            <>
              <Flag code={flag} />
              <span dir={direction}>{name}</span>
              {code === language ? <Icon name="check" size={18} /> : null}
            </>
          );
          const address = languagePath(code, pathname, search);
          return (
            <li key={code}>
              {carriedAnswers ? (
                <button
                  {...row}
                  form={ANSWERS_FORM}
                  formAction={address}
                  formNoValidate
                  {...(carriedAnswers === 'kept' ? { name: 'intent', value: SWITCH_LANGUAGE } : {})}
                >
                  {content}
                </button>
              ) : (
                <a {...row} href={address} hrefLang={code}>
                  {content}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </MenuPanel>
  );
}
