import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { languages } from '~/base/languages.ts';
import { Icon } from '~/ui/icon.tsx';
import { Menu } from '~/ui/menu.tsx';
import { Flag } from './flag.tsx';
import { inLanguage } from './navigation.ts';

/** This page in each language. Plain anchors: a language is another document, not another state of this one. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('site');
  const { pathname, search } = useLocation();
  const current = languages.find(({ code }) => code === i18n.language) ?? languages[0];
  return (
    <Menu
      button={
        <>
          <Icon name="globe" />
          <span>{current.name}</span>
          <Icon name="chevron" size={18} />
        </>
      }
      buttonClass="language-button"
      buttonLabel={t('language.button', { language: current.name })}
      className="language-menu"
      id="language-menu"
    >
      <ul aria-label={t('language.label')}>
        {languages.map(({ code, name, flag, direction }) => (
          <li key={code}>
            <a
              aria-current={code === current.code ? 'true' : undefined}
              className="menu-row"
              href={inLanguage(code, pathname, search)}
              hrefLang={code}
              lang={code}
            >
              <Flag code={flag} />
              <span dir={direction}>{name}</span>
              {code === current.code ? <Icon name="check" size={18} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
