import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CodeIn } from '~/base/text-keys.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import { Segment } from '~/ui/fields/segment.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { PathLink, PathList } from '../paypal-page/lab-frame.tsx';

/** What to check by hand on a phone, in the specification's order. Texts: `lab:checklist.check.<id>`. */
const checks = [
  'navigation',
  'background',
  'typography',
  'layout',
  'country',
  'dates',
  'payment',
  'products',
  'loading',
  'touch',
] as const;

const results = ['pending', 'pass', 'fail'] as const;
type CheckResult = (typeof results)[number];

const mainPages = ['/insurance', '/apply', '/'] as const;
const quickLinks = ['/insurance', '/apply', '/', '/status', '/faq', '/requirements'] as const;

const tones = { pending: 'neutral', pass: 'green', fail: 'red' } as const;
const instructions = ['open', 'touch', 'compare', 'note'] as const;

/** Radio buttons, so that it works without scripts; nothing is sent or stored. */
function ChecklistPage() {
  const { t } = useTranslation('lab');
  const [found, setFound] = useState<Partial<Record<string, CheckResult>>>({});
  const list = useRef<HTMLOListElement>(null);

  // Reads what was marked before scripts ran.
  const readMarked = useEffectEvent(() => {
    for (const input of list.current?.querySelectorAll('input:checked') ?? []) {
      if (input instanceof HTMLInputElement) note(input);
    }
  });
  useEffect(() => readMarked(), []);

  const count = (result: CheckResult) =>
    checks.filter((check) => (found[check] ?? 'pending') === result).length;

  const keep = (event: ChangeEvent<HTMLInputElement>) => note(event.currentTarget);

  function note({ name, value }: HTMLInputElement) {
    const result = results.find((one) => one === value);
    if (result) setFound((now) => ({ ...now, [name]: result }));
  }

  return (
    <>
      <div className="form-actions mt-0">
        {mainPages.map((path, index) => (
          <PageButton key={path} look={index === 0 ? 'primary' : 'secondary'} path={path} />
        ))}
      </div>
      <section className="mt-12">
        <h2 className="text-h2-form">{t('checklist.title')}</h2>
        <p aria-live="polite" className="mt-3 flex flex-wrap gap-2">
          {results.map((result) => (
            <StatusTag key={result} tone={tones[result]}>
              {t(`checklist.count.${result}`, { number: count(result) })}
            </StatusTag>
          ))}
        </p>
        <ol className="mt-4" ref={list}>
          {checks.map((check) => (
            <li
              className="grid gap-2.5 border-b border-line py-3.5 wide:grid-cols-[minmax(0,1fr)_auto] wide:items-center"
              key={check}
            >
              <span>{t(`checklist.check.${check}`)}</span>
              <Segment
                defaultValue="pending"
                legend={t(`checklist.check.${check}`)}
                name={check}
                onChange={keep}
                options={results.map((value) => ({ value, label: t(`checklist.${value}`) }))}
              />
            </li>
          ))}
        </ol>
      </section>
      <section className="mt-12">
        <h2 className="text-h2-form">{t('checklist.links')}</h2>
        <p className="text-small mt-2 text-ink-2">{t('checklist.newTab')}</p>
        <PathList>
          {quickLinks.map((path) => (
            <li key={path}>
              <QuickLink path={path} />
            </li>
          ))}
        </PathList>
      </section>
      <section className="prose mt-12">
        <h2 className="text-h2-form">{t('checklist.manual.title')}</h2>
        <ol>
          {instructions.map((step) => (
            <li key={step}>{t(`checklist.manual.${step}`)}</li>
          ))}
        </ol>
      </section>
    </>
  );
}

type Path = (typeof quickLinks)[number];

const names: Record<Path, CodeIn<'lab', 'checklist.page'>> = {
  '/': 'home',
  '/apply': 'apply',
  '/insurance': 'insurance',
  '/status': 'status',
  '/faq': 'faq',
  '/requirements': 'requirements',
};

function PageButton({ path, look }: { path: Path; look: 'primary' | 'secondary' }) {
  const { t } = useTranslation('lab');
  const href = useHref(path);
  return (
    <ButtonAnchor href={href} look={look}>
      {t(`checklist.page.${names[path]}`)}
    </ButtonAnchor>
  );
}

function QuickLink({ path }: { path: Path }) {
  const { t } = useTranslation('lab');
  const href = useHref(path);
  return (
    <PathLink href={href} path={path} rel="noreferrer" target="_blank">
      {t(`checklist.page.${names[path]}`)}
    </PathLink>
  );
}

export { ChecklistPage as default };
