import { data, redirect, Form, useLocation, useNavigation } from 'react-router';
import { openDecisionDraft, sendDraft } from './draft.server.ts';
import { askBeforeRejection } from './decide.server.ts';
import { MESSAGE } from './case-actions.ts';
import { useErrorText } from './error-text.tsx';
import { listQuery } from '../queue/list-filter.ts';
import { nextAddress } from '../queue/next.server.ts';
import { undoCookie } from './undo-record.server.ts';
import { showComparison } from './match-document.server.ts';
import { openDuplicates } from './duplicates.server.ts';
import { isSamePerson } from './duplicates.ts';
import { DuplicateNotice, FRAME, PdfCard, PdfFrame } from './pdf-card.tsx';
import { refusalStatus } from './decision-types.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/decision.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useLoadAhead, SEND_KEYS } from '../frame/opening.tsx';
import { formatLanguage } from '../frame/formats.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { fullName } from '~/features/application/full-name.ts';
import { needsCheck } from './pdf-rules.ts';

type Preview = Route.ComponentProps['loaderData'];

/** The email and the PDF as the traveller will get them, and the button that sends them. */
export default function DecisionPage({ loaderData, actionData }: Route.ComponentProps) {
  const { application, draft, email, comparison, duplicates } = loaderData;
  const error = useErrorText(actionData?.error ?? null);
  const { t, language } = useTranslation(['decision', 'desk']);
  const { search } = useLocation();
  const { number } = application;
  useLoadAhead({ list: listQuery(search), not: number });
  const name = fullName(application);
  const title = t(`preview.${draft.kind}`, { name });
  const heading = useRef<HTMLHeadingElement>(null);
  // Above what is to be read. Not a button: a word being typed while the page came would send with its first space.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const here = `/admin/applications/${number}/decision/${draft.id}`;
  return (
    <DeskPage>
      <title>{`${title} – Lale`}</title>
      <div className="mx-auto grid max-w-[1240px] grid-cols-1 gap-4">
        <p className="text-fine">
          <NumberCode testId="application-number" value={number} />
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="text-ink-2">{t('preview.lead')}</p>
        {error ? (
          <Notice role="alert" title={t('desk:error.title')} tone="red">
            {error}
          </Notice>
        ) : null}
        <dl className="grid grid-cols-[124px_minmax(0,1fr)] gap-x-2 gap-y-1 [&_dd]:wrap-anywhere [&_dt]:text-ink-2">
          <dt>{t('preview.to')}</dt>
          <dd>
            <bdi dir="ltr">{email.to}</bdi>
          </dd>
          <dt>{t('preview.language')}</dt>
          <dd>{formatLanguage(email.language, language)}</dd>
          <dt>{t('preview.subject')}</dt>
          <dd>
            <bdi lang={email.language}>{email.subject}</bdi>
          </dd>
        </dl>
        {comparison ? (
          <section
            aria-labelledby="compared"
            className="grid gap-2.5 rounded-card border border-line bg-paper p-4"
          >
            <h2 id="compared">{t('compare.title')}</h2>
            <PdfCard comparison={comparison} duplicates={duplicates} />
          </section>
        ) : (
          <DuplicateNotice duplicates={duplicates} />
        )}
        <div className="grid grid-cols-1 items-start gap-5 wide:has-[>:nth-child(2)]:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
          <iframe
            // Made anew when the email has to be seen again.
            key={draft.seenAt}
            className={`${FRAME} ${FRAME_HEIGHT} wide:only:max-w-[720px]`}
            sandbox=""
            src={`${here}/email`}
            title={t('preview.email')}
          />
          {draft.hasFile ? (
            <section className="grid gap-2">
              <PdfFrame
                className={FRAME_HEIGHT}
                src={`${here}/document`}
                title={t(`preview.file.${application.kind}`)}
              />
              <p>
                <a href={`${here}/document`} rel="noopener" target="_blank">
                  {t('preview.openFile')}
                </a>
              </p>
            </section>
          ) : null}
          {!draft.hasFile && draft.kind === 'approve' ? (
            <Notice tone={application.kind === 'visa' ? 'amber' : 'blue'}>
              {t(`preview.noFile.${application.kind}`)}
            </Notice>
          ) : null}
        </div>
        <Send
          back={`/admin/applications/${number}${backQuery(search, draft)}`}
          draft={draft}
          hasDuplicates={duplicates.some(({ reasons }) => isSamePerson(reasons))}
          needsALook={comparison !== null && needsCheck(comparison)}
        />
      </div>
    </DeskPage>
  );
}

/** Of the email and the file. */
const FRAME_HEIGHT = 'h-[70vh] min-h-[420px]';

/** Back to the form, which brings a rejection's reason and words, and leads here again to an uploaded PDF. */
function backQuery(search: string, draft: Preview['draft']): string {
  const query = new URLSearchParams(search);
  query.set('draft', draft.id);
  if (draft.kind === 'reject') query.set('reject', '');
  return `?${query}#${forms[draft.kind]}`;
}

const forms = {
  approve: 'application',
  reject: 'reject-dialog',
  attach: 'application',
  message: MESSAGE,
} as const;

function Send({
  draft,
  back,
  needsALook,
  hasDuplicates,
}: {
  draft: Preview['draft'];
  back: string;
  needsALook: boolean;
  hasDuplicates: boolean;
}) {
  const { t } = useTranslation('decision');
  const busy = useNavigation().state === 'submitting';
  return (
    <Form
      className="sticky bottom-(--desk-messages-size) flex flex-wrap items-center gap-x-3 gap-y-2.5 border-t border-line bg-paper py-3.5 [&>p]:flex-[1_1_240px]"
      method="post"
    >
      {needsALook ? (
        <CheckBox className="basis-full" label={t('compare.confirm')} name="compared" required />
      ) : null}
      {hasDuplicates ? (
        <CheckBox
          className="basis-full"
          label={t('compare.confirmDuplicate')}
          name="duplicates"
          required
        />
      ) : null}
      <Button busy={busy} look={draft.kind === 'reject' ? 'danger' : 'primary'} small>
        {t(`preview.send.${draft.kind}`)}
      </Button>
      <Button
        aria-keyshortcuts={SEND_KEYS}
        id="send-next"
        look="secondary"
        name="after"
        small
        value="next"
      >
        {t('preview.sendNext')} <kbd aria-hidden>Ctrl ↵</kbd>
      </Button>
      <ButtonLink look="secondary" small to={back}>
        {t('preview.back')}
      </ButtonLink>
      <p className="text-ink-2">{t(`preview.final.${draft.kind}`)}</p>
    </Form>
  );
}

const done = {
  approve: 'approved',
  reject: 'rejected',
  attach: 'attached',
  message: 'message_sent',
} as const;

/** The preview of a decision: what the traveller will get. For its author alone. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const at = await openDecisionDraft({ request, context }, params);
  if (!at) throw data(null, { status: 404 });
  const { staff, application, draft } = at;
  const platform = context.get(platformContext);
  const { to, language, subject } = await previewDecision(platform, application, draft);
  const { number, firstName, lastName, kind } = application;
  return {
    application: { number, firstName, lastName, kind },
    draft: {
      id: draft.id,
      kind: draft.kind,
      hasFile: draft.fileId !== null,
      seenAt: draft.createdAt.getTime(),
    },
    email: { to, language, subject },
    comparison: draft.fileId
      ? await showComparison(
          platform,
          staff,
          application,
          draft.fileId,
          context.get(languageContext),
        )
      : null,
    duplicates: draft.kind === 'approve' ? await openDuplicates(platform, application.id) : [],
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const at = await openDecisionDraft({ request, context }, params);
  if (!at) throw data(null, { status: 404 });
  const { staff, application, draft } = at;
  const form = await readForm({ request, context });
  const platform = context.get(platformContext);
  if (draft.kind === 'reject') {
    await askBeforeRejection(platform, context.get(paymentsContext), application);
  }
  const outcome = await sendDraft(platform, staff, {
    draft,
    hasCompared: form.get('compared') === 'yes',
    hasCheckedDuplicates: form.get('duplicates') === 'yes',
  });
  if (!outcome.ok) {
    return data({ error: outcome.error }, { status: refusalStatus(outcome.error) });
  }
  const headers = undoCookie(platform, staff);
  if (form.get('after') === 'next') {
    const list = new URLSearchParams(listQuery(new URL(request.url).search));
    // A decided one is no longer in the list.
    const not = draft.kind === 'message' ? application.id : null;
    return redirect(await nextAddress(platform, staff, { list, not }), { headers });
  }
  const query = new URL(request.url).searchParams;
  query.delete('reject');
  query.set('done', done[draft.kind]);
  return redirect(`/admin/applications/${application.number}?${query}#application`, { headers });
}
