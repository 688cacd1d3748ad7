import { Fragment, useEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { TravellerDraft } from './decide-together.server.ts';

/** What each traveller will get, and the button that sends all of it. */
export function GroupPreview({ drafts }: { drafts: readonly TravellerDraft[] }) {
  const { t } = useTranslation('decision');
  const navigation = useNavigation();
  const head = useRef<HTMLHeadingElement>(null);
  // The page stays where it is; who decides is led to what to look at.
  useEffect(() => head.current?.focus(), []);
  const [first] = drafts;
  if (!first) return null;
  const busy =
    navigation.state === 'submitting' && navigation.formData?.get('intent') === 'send_chosen';
  return (
    <section
      aria-labelledby="group-preview"
      className="mt-3 rounded-card border border-line-2 bg-paper p-4"
    >
      <h3 className="text-base" id="group-preview" ref={head} tabIndex={-1}>
        {t(`group.preview.${first.kind}`, { count: drafts.length })}
      </h3>
      <p className="text-ink-2">{t('group.preview.lead')}</p>
      <ul className="mt-3 grid gap-3">
        {drafts.map(({ id, number, name, to, language, subject }) => (
          <li className="grid gap-0.5 border-t border-line pt-2 wrap-anywhere" key={id}>
            <p>
              <bdi className="font-semibold">{name}</bdi>{' '}
              <span className="text-fine">
                <NumberCode value={number} />
              </span>
            </p>
            <dl className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] justify-start gap-x-3 [&_dt]:text-ink-2">
              <dt>{t('preview.to')}</dt>
              <dd>
                <bdi dir="ltr">{to}</bdi>
              </dd>
              <dt>{t('preview.subject')}</dt>
              <dd>
                <bdi lang={language}>{subject}</bdi>
              </dd>
            </dl>
            <p>
              {/* A document of its own: only its policy lets it frame the email and the PDF. */}
              <a
                className="desk-link"
                href={`/admin/applications/${number}/decision/${id}`}
                rel="noopener"
                target="_blank"
              >
                {t(first.kind === 'approve' ? 'group.preview.openBoth' : 'group.preview.open', {
                  name,
                })}
              </a>
            </p>
          </li>
        ))}
      </ul>
      <Form
        className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2"
        method="post"
        preventScrollReset
      >
        {drafts.map(({ id, number, seen }) => (
          <Fragment key={id}>
            <input name={`draft-${number}`} type="hidden" value={id} />
            <input name={`seen-${number}`} type="hidden" value={seen} />
          </Fragment>
        ))}
        <Button
          busy={busy}
          look={first.kind === 'reject' ? 'danger' : 'primary'}
          name="intent"
          small
          value="send_chosen"
        >
          {t(`group.preview.send.${first.kind}`, { count: drafts.length })}
        </Button>
        <p className="text-ink-2">{t(`preview.final.${first.kind}`)}</p>
      </Form>
    </section>
  );
}
