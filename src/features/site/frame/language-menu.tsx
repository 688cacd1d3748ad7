import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { languages } from '~/base/languages.ts';
import { ANSWERS_FORM, SWITCH_LANGUAGE, type CarriedAnswers } from '~/ui/answers-form.ts';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { MenuButton, MenuPanel } from '~/ui/menu.tsx';
import { Flag } from '../flag.tsx';
import { inLanguage } from '../navigation.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Style of the header's round buttons. */
export const headerButton =
  'inline-flex h-11 items-center justify-center gap-2 rounded-full border border-line-2 text-ink hover:border-edge hover:bg-paper print:hidden';

const MENU = 'language-menu';
const nameOf = (language: string) => languages.find(({ code }) => code === language)?.name ?? '';

export function LanguageButton({ className }: { className: string }) {
  const { t } = useTranslation('site');
  const name = nameOf(useLanguage());
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
  const { t } = useTranslation('site');
  const { pathname, search } = usePage().address;
  const current = useLanguage();
  return (
    <MenuPanel className="language-menu w-57.5" id={MENU}>
      <ul aria-label={t('language.label')}>
        {languages.map(({ code, name, flag, direction }) => {
          const row = {
            'aria-current': code === current ? ('true' as const) : undefined,
            className: 'menu-row',
            lang: code,
          };
          const content = (
            <>
              <Flag code={flag} />
              <span dir={direction}>{name}</span>
              {code === current ? <Icon name="check" size={18} /> : null}
            </>
          );
          const address = inLanguage(code, pathname, search);
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
