import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { formatMoney, toDecimal } from '~/base/money.ts';
import { ChangingNotice } from '~/features/application/changing-notice.tsx';
import { termsPath, CoverTable } from '~/features/application/cover-table.tsx';
import { SaveLater, useLinkProblems } from '~/features/form/draft/save-later.tsx';
import { AcceptedTerms, PartnerNotice } from '~/features/order/before-paying.tsx';
import { firstWay, isPaying, PayOtherWay } from '~/features/order/pay-form.tsx';
import { Answers } from '~/ui/answers.tsx';
import { ANSWERS_FORM, formHandle } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { OfficialLink } from '~/ui/official-link.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import { planLength, lastInsuredDay } from './rules/plans.ts';
import {
  openReview,
  handleReviewSubmit,
  type ReviewAnswer,
  type ReviewView,
} from './form/review.server.ts';
import type { Route } from './+types/review.ts';
import type { Translate } from '~/base/read-text.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { reviewRows, type AnswerGroup } from '~/features/form/page/review-rows.ts';
import type { InsuranceField } from './rules/answers.ts';

export const handle = formHandle;
export const loader = (args: Route.LoaderArgs) => openReview(args);
export const action = (args: Route.ActionArgs) => handleReviewSubmit(args);

/** All answers with the price and what happens next, before anything is stored. */
function InsuranceReviewPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation(['insurance', 'catalog', 'payment']);
  const { sending } = usePage();
  const answer: ReviewAnswer | undefined = actionData;
  const { plan } = view;
  const amount = formatMoney(plan.price, language);
  const linkProblems = useLinkProblems(answer?.later);
  const isBusy = isPaying(sending);
  return (
    <NarrowPage>
      <FormHead problems={linkProblems} title={`${t('review.title')} · Lale`} />
      <PageHead lead={t('review.lead')} title={t('review.title')} />
      {view.changing ? <ChangingNotice form="insurance" number={view.changing} /> : null}
      {answer?.priceChange ? (
        <Notice className="mb-8" role="alert" tone="amber">
          {t('priceChanged', {
            before: formatMoney(answer.priceChange.before, language),
            amount: formatMoney(answer.priceChange.now, language),
          })}
        </Notice>
      ) : null}
      {answer?.offline ? (
        <Notice className="mb-8" role="alert" title={t('form:offline.title')} tone="red">
          {t('form:offline.text')}
        </Notice>
      ) : null}
      {reviewAnswers(t, language, view).map(({ title, answers }) => (
        <Answers answers={answers} key={title} title={title} />
      ))}
      {view.isMinor ? <Photos view={view} /> : null}
      <CoverTable cover={view.cover} title={t('terms.bought')} />
      <OrderSummary
        lines={[
          {
            label: t('summary.line', {
              plan: planLength(plan.days, t),
            }),
            amount,
          },
        ]}
        note={<Trans components={{ official: <OfficialLink /> }} i18nKey="summary.note" t={t} />}
        testId="total"
        title={t('summary.title')}
        total={{ label: t('summary.total'), amount }}
      />
      <Notice className="mt-6" heading="h2" title={t('review.nextTitle')} tone="blue">
        <p>{t(view.isMinor ? 'review.nextMinor' : 'review.next')}</p>
        <p className="mt-2">{t('review.nextHelp')}</p>
      </Notice>
      <PartnerNotice ways={view.ways} />
      <Form id={ANSWERS_FORM} method="post" noValidate>
        <input name="totalAmount" type="hidden" value={toDecimal(plan.price)} />
        <AcceptedTerms
          insurerTerms={view.cover.version === null ? null : termsPath(view.cover.version)}
        />
        <FormActions>
          <Button busy={isBusy} name="intent" type="submit" value="pay">
            {isBusy ? t('paying') : t(`payment:with.${firstWay(view.other)}`, { amount })}
          </Button>
          <PayOtherWay busy={isBusy} provider={view.other} total={plan.price} />
          <Button look="plain" name="intent" value="previous">
            {t('review.back')}
          </Button>
        </FormActions>
        <SaveLater beside={undefined} later={answer?.later} />
      </Form>
    </NarrowPage>
  );
}

function Photos({ view }: { view: ReviewView }) {
  const { t } = useTranslation('insurance');
  const pictures = (
    <span className="flex flex-wrap gap-3">
      {view.photos.map(({ id, name }) => (
        <img
          alt={t('parent.preview', { name })}
          className="h-16 w-24 rounded border border-line object-cover"
          height={64}
          key={id}
          src={`/insurance/photos/${id}`}
          width={96}
        />
      ))}
    </span>
  );
  const answers = [
    { term: t('labels.parentIdPhotos'), value: pictures, change: '/insurance#parentIdPhotos' },
  ];
  return <Answers answers={answers} title={t('parent.title')} />;
}

export { InsuranceReviewPage as default };

/** The answers for comparing with the passport, each with the link to change it. */
function reviewAnswers(
  t: Translate<'insurance'>,
  language: Language,
  { answers, plan, nationality, destination }: ReviewView,
): AnswerGroup[] {
  const { row, typed, date, name, documentNumber } = reviewRows(t, language, {
    form: 'insurance',
    answers,
    changeAt: (field: InsuranceField) => `/insurance#${field}`,
  });
  const from = parseDate(answers.travelDate ?? '');
  const document = answers.documentType || 'ordinary';
  const until = from ? formatDate(lastInsuredDay(from, plan), language) : '';
  const length = planLength(plan.days, t);
  return [
    {
      title: t('trip.title'),
      answers: [
        date('travelDate'),
        date('returnDate'),
        row('productId', t('review.plan', { plan: length, until }), { term: t('tag.plan') }),
        { term: t('labels.destination'), value: destination },
      ],
    },
    {
      title: t('traveller.title'),
      answers: [
        row('nationality', nationality),
        row('documentType', t(`catalog:travelDocument.${document}`, document)),
        name('lastName'),
        name('firstName'),
        documentNumber('passportNumber'),
        date('dateOfBirth'),
        ...(answers.placeOfBirth
          ? [
              row('placeOfBirth', answers.placeOfBirth, {
                latin: true,
                term: t('visa:labels.placeOfBirth'),
              }),
            ]
          : []),
      ],
    },
    { title: t('contact.title'), answers: [typed('email'), typed('phone')] },
  ];
}
