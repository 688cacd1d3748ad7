import type { Language } from '~/base/languages.ts';
import { useTranslation, Trans } from '~/ui/texts/texts.tsx';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import { visaPrices } from '~/features/visa/store/store.server.ts';
import { waysToPay, type WaysToPay } from '~/features/order/fallback-provider.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import {
  answersHandle,
  isLanguageSwitch,
  type CarriedAnswers,
  ANSWERS_FORM,
} from '~/ui/answers-form.ts';
import { DataBlock, organization } from './document/structured-data.tsx';
import { checkVisa, isUntouched, type VisaCheck } from './visa-check.ts';
import { currentPlans } from './information/values.server.ts';
import { useSite } from './site-context.tsx';
import { Plate, type PlateName, HeroArt } from '~/ui/art.tsx';
import { formatMoney } from '~/base/money.ts';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { ButtonLink, Button } from '~/ui/button.tsx';
import type { PlanPrice } from './information/prices-figure.tsx';
import type { ReactNode } from 'react';
import {
  speedFee,
  lowestTotal,
  type PriceList,
  quoteVisa,
} from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed, speedsByPath } from '~/features/visa/rules/speeds.ts';
import { OfficialSentence } from './official-site.tsx';
import type { Office } from '~/base/dates/office.ts';
import { promisedMoment } from '~/features/visa/rules/ready-by.ts';
import { workingTime } from '~/features/visa/parts/speed-words.ts';
import { MomentText, PromiseSentence } from './moment-text.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { TravelDocumentField } from '~/features/catalog/travel-document-field.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField, type SelectOption } from '~/ui/fields/select-field.tsx';
import { TURKIYE, addDays, formatDate, splitDate, toPlainDate } from '~/base/dates/dates.ts';
import { CheckedOn, EligibilityText } from '~/features/catalog/eligibility-text.tsx';
import type { Eligibility } from '~/features/catalog/eligibility.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { Notice, type NoticeTone } from '~/ui/notice.tsx';
import { promiseRecord, type PromiseRecord } from '~/features/application/promise-record.server.ts';
import { FiguresTable } from '~/ui/figures-table.tsx';
import { Link } from '~/ui/page/link.tsx';

type Answer = NonNullable<VisaCheck['answer']>;

const tones: Record<Eligibility['regime'], NoticeTone> = {
  visa_free: 'blue',
  evisa: 'green',
  evisa_with_document: 'green',
  no_evisa: 'red',
};

/** The answer: what is possible, from when, at which price, and a link to continue. */
function CheckAnswer({ answer }: { answer: Answer }) {
  const { t } = useTranslation(['site', 'catalog']);
  const { country, eligibility, offer } = answer;
  const note = answer.documentType === 'ordinary' ? countryNote(country) : undefined;
  const name = t(`countries:${country.code}`, { defaultValue: country.name });
  const reason = `catalog:eligibility.${eligibility.reason}` as const;
  return (
    <section
      aria-labelledby="check-answer"
      className="check-answer mt-5 grid gap-3 [&_p+p]:mt-1.5"
      tabIndex={-1}
    >
      <Notice
        heading="h3"
        headingId="check-answer"
        title={t(`${reason}.title`)}
        tone={tones[eligibility.regime]}
      >
        <p>
          <EligibilityText answer={eligibility} country={name} />
        </p>
        {offer ? <Offer offer={offer} /> : null}
        {note ? <p>{t(`catalog:notes.${note}`)}</p> : null}
        <CheckedOn date={country.checkedOn} />
      </Notice>
      {eligibility.reason === 'supporting_document_required' ? (
        <Notice
          title={t('catalog:eligibility.supporting_document_required.documentTitle')}
          tone="amber"
        >
          <p>{t('catalog:eligibility.supporting_document_required.documentText')}</p>
        </Notice>
      ) : null}
      {offer === null ? <Notice tone="amber">{t('site:home.check.tooLate')}</Notice> : null}
      {offer === undefined ? (
        <ButtonLink
          look={eligibility.regime === 'visa_free' ? 'plain' : 'secondary'}
          to={`/insurance?country=${country.code}`}
          wide
        >
          {t('catalog:unavailable.insurance')}
        </ButtonLink>
      ) : (
        <ButtonLink look="secondary" to={`/application?${startQuery(answer)}`} wide>
          {t('site:home.check.start')}
        </ButtonLink>
      )}
    </section>
  );
}

function Offer({ offer }: { offer: NonNullable<Answer['offer']> }) {
  const { t, language } = useTranslation('site');
  return (
    <p>
      <Trans
        components={{ promise: <MomentText at={offer.readyBy} /> }}
        i18nKey="home.check.offer"
        t={t}
        values={{ total: formatMoney(offer.total, language) }}
      />
    </p>
  );
}

/** Passes the answers on to the wizard. */
function startQuery({ country, documentType, arrivalDate }: Answer): string {
  const query = new URLSearchParams({ countryId: country.code, documentType });
  if (arrivalDate) {
    const { day, month, year } = splitDate(arrivalDate);
    query.set('arrivalDate-day', String(day));
    query.set('arrivalDate-month', String(month));
    query.set('arrivalDate-year', String(year));
  }
  return query.toString();
}

/** "Do I need a visa?": a GET form to this page, so that it works without scripts. */
function CheckCard({
  check,
  countries,
  now,
  title,
}: {
  check: VisaCheck;
  countries: readonly SelectOption[];
  now: Date;
  /** The title of the page. */
  title: string;
}) {
  const { t, language } = useTranslation(['site', 'catalog']);
  const example = exampleArrival(now, language);
  const { values, problems, answer } = check;
  const problem = (code: CodeIn<'site', 'home.check.problem'> | undefined) =>
    code ? t(`site:home.check.problem.${code}`, { date: example }) : undefined;
  const found = (['countryId', 'arrivalDate'] as const).flatMap((name) => {
    const message = problem(problems[name]);
    return message ? [{ name, message }] : [];
  });
  const isRefused = found.length > 0;
  return (
    <div
      className="scroll-mt-4 rounded-card bg-paper px-5 py-6 text-ink shadow-hero-card wide:p-8"
      data-check
      id={isRefused ? undefined : 'check'}
    >
      <FormHead id="check" problems={found} title={title} />
      <h2 className="text-h2-card">{t('site:home.check.title')}</h2>
      {/* The fragment scrolls to the answer on small screens. */}
      <form
        action="#check"
        className="form-fields mt-5.5"
        id={ANSWERS_FORM}
        method="get"
        noValidate
      >
        <SelectField
          defaultValue={values.countryId}
          emptyLabel={t(`catalog:countryField.${countries.length === 0 ? 'empty' : 'choose'}`)}
          error={problem(problems.countryId)}
          label={t('site:home.check.nationality')}
          name="countryId"
          options={countries}
          width="full"
        />
        <TravelDocumentField
          label={t('catalog:travelDocument.label')}
          value={values.documentType}
          width="full"
        />
        <DateField
          defaultValue={values}
          error={problem(problems.arrivalDate)}
          label={t('site:home.check.arrival')}
          name="arrivalDate"
        />
        <Button arrow wide>
          {t('site:home.check.button')}
        </Button>
      </form>
      {answer ? (
        <CheckAnswer answer={answer} />
      ) : (
        <p className="mt-3.5 text-center text-micro text-ink-2">{t('site:home.check.note')}</p>
      )}
    </div>
  );
}

const path = 'without_document';

/** Every price of the path without a supporting document. */
function Costs({
  now,
  prices,
  office,
  record,
}: {
  now: Date;
  prices: PriceList;
  office: Office;
  /** Null while too few ready-by times have fallen due. */
  record: PromiseRecord | null;
}) {
  const { t, language } = useTranslation('site');
  const { t: visa } = useTranslation('visa');
  const total = (type: string) => formatMoney(quoteVisa(prices, path, type).total, language);
  return (
    <section className="content py-(--section) wide:grid wide:grid-cols-[300px_minmax(0,1fr)] wide:gap-18">
      <div>
        <h2>{t('home.costs.title')}</h2>
        <p className="mt-3.25 text-text text-ink-2">{t('home.costs.note')}</p>
        {record ? (
          <p className="mt-3.25 text-text">
            <Link to="/processing-times">
              <PromiseSentence record={record} />
            </Link>
          </p>
        ) : null}
      </div>
      <div>
        <FiguresTable
          className="max-wide:mt-8"
          columns={[
            {
              head: t('home.costs.processing'),
              render: (speed) => (
                <>
                  {visa(`application:service.${speed.processingType}.name`)}
                  <span className="block text-caption text-ink-2">{workingTime(visa, speed)}</span>
                </>
              ),
            },
            {
              head: t('home.costs.readyBy'),
              render: ({ processingType }) => (
                <MomentText at={promisedMoment(path, processingType, now, office)} now={now} />
              ),
            },
            {
              head: t('home.costs.total'),
              render: ({ processingType }) => <strong>{total(processingType)}</strong>,
              isFigure: true,
            },
          ]}
          isStacked
          keyOf={({ processingType }) => processingType}
          rows={speedsByPath(path)}
        />
      </div>
    </section>
  );
}

const places: readonly PlateName[] = [
  'cappadocia',
  'celsus',
  'pamukkale',
  'nemrut',
  'selimiye',
  'iznik',
];

/** Six illustrations with a sentence each. */
function Heritage() {
  const { t } = useTranslation('site');
  return (
    <section className="content py-(--section)">
      <h2>{t('home.heritage.title')}</h2>
      <ul className="mt-7 grid gap-5.5 wide:mt-11 wide:grid-cols-3 wide:gap-x-7 wide:gap-y-13">
        {places.map((place) => (
          <li
            className="grid grid-cols-[132px_minmax(0,1fr)] items-start gap-4.5 wide:block"
            key={place}
          >
            <Plate name={place} />
            <div className="wide:mt-4.25 wide:flex wide:flex-wrap wide:items-baseline wide:justify-between wide:gap-x-3 wide:gap-y-1">
              <h3>{t(`home.heritage.${place}.name`)}</h3>
              <p className="mt-0.5 text-caption text-brass-text">
                {t(`home.heritage.${place}.century`)}
              </p>
              <p className="mt-1 text-small text-ink-2 w-full wide:text-item">
                {t(`home.heritage.${place}.text`)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const steps = ['complete', 'pay', 'download'] as const;

/** Complete the application, make the payment, download the e-visa. */
function Steps({ waysToPay }: { waysToPay: WaysToPay }) {
  const { t } = useTranslation('site');
  const means = t(`home.ways.means.${waysToPay}`);
  return (
    <section className="content py-(--section) max-wide:pt-19 wide:grid wide:grid-cols-[300px_minmax(0,1fr)] wide:gap-18">
      <div>
        <h2>{t('home.steps.title')}</h2>
        <p className="mt-3.25 max-w-155 text-text text-ink-2">{t('home.steps.lead', { means })}</p>
      </div>
      <ol className="mt-7 wide:mt-0 wide:grid wide:grid-cols-3 wide:gap-9">
        {steps.map((step, index) => (
          <li
            className="grid grid-cols-[56px_minmax(0,1fr)] border-t border-line-2 pt-5 pb-4.75 last:pb-0 wide:block wide:border-ink wide:pt-4 wide:pb-0"
            key={step}
          >
            <span
              aria-hidden="true"
              className="font-display text-[2.875rem]/[2.75rem] text-turquoise wide:block wide:text-[4rem]/[4.25rem]"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="wide:mt-2.5">{t(`home.steps.${step}.title`)}</h3>
              <p className="mt-1 text-item text-ink-2 wide:mt-1.75">
                {t(`home.steps.${step}.text`)}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

export const handle = { scriptFree: true, ...answersHandle };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const platform = context.get(platformContext);
  const [countries, plans, prices, office, record] = await Promise.all([
    allCountries(platform),
    currentPlans(platform),
    visaPrices(platform),
    currentOffice(platform),
    promiseRecord(platform),
  ]);
  const now = platform.now();
  const query = new URL(request.url).searchParams;
  const check = checkVisa(query, countries, prices, office, now);
  // Without answers the address needs no query.
  if (isLanguageSwitch(query) && isUntouched(check.values)) throw redirect('/');
  const carriedAnswers: CarriedAnswers = check.isAsked ? 'asked' : 'kept';
  return {
    now,
    prices,
    office,
    record,
    waysToPay: waysToPay(context.get(paymentsContext).providers),
    plans: plans.map(({ days, price }) => ({ days, price })),
    check,
    carriedAnswers,
    countries: countryOptions(countries, context.get(languageContext)).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  };
}

function Home({ loaderData }: { loaderData: Awaited<ReturnType<typeof loader>> }) {
  const { t } = useTranslation('site');
  const { now, check, countries, plans, prices, office } = loaderData;
  return (
    <div data-seed>
      <DataBlock data={organization(useSite())} />
      <Hero prices={prices}>
        <CheckCard check={check} countries={countries} now={now} title={t('home.title')} />
      </Hero>
      <Steps waysToPay={loaderData.waysToPay} />
      <div className="content">
        <StarLine />
      </div>
      <Heritage />
      <InsurancePromotion plans={plans} />
      <Costs office={office} now={now} prices={prices} record={loaderData.record} />
    </div>
  );
}

export { Home as default };

/** The plans on sale, shortest first, and the lowest price. */
function InsurancePromotion({ plans }: { plans: readonly PlanPrice[] }) {
  const { t, language } = useTranslation('site');
  const [cheapest] = [...plans].sort((a, b) => a.price.minor - b.price.minor);
  if (!cheapest) return null;
  return (
    <section className="content">
      <div className="insurance-panel relative overflow-hidden rounded-panel bg-ink px-6 py-9 text-on-ink **:focus-visible:outline-ring-on-ink wide:p-14 [&>:not(.girih)]:relative max-wide:[&>.girih]:hidden">
        <GirihPattern />
        <h2 className="max-w-110 text-cream">
          {t('home.insurance.title', { price: formatMoney(cheapest.price, language) })}
        </h2>
        <p className="mt-3.5 max-w-[640px]">{t('home.insurance.note')}</p>
        <dl className="mt-8 border-y border-ink-line wide:mt-9 wide:grid wide:grid-cols-7">
          {plans.map(({ days, price }) => (
            <div
              className="flex items-baseline justify-between border-ink-line py-2.75 max-wide:not-first:border-t wide:flex-col-reverse wide:items-start wide:justify-end wide:px-2 wide:pt-4.5 wide:pb-5 wide:first:ps-0 wide:not-first:border-s"
              key={days}
            >
              <dt className="text-small">
                {days === YEAR_DAYS
                  ? t('home.insurance.year')
                  : t('home.insurance.days', { count: days })}
              </dt>
              <dd className="figures font-display text-[1.375rem]/[1.75rem] font-semibold text-cream wide:text-[min(2.1vw,1.625rem)]/[2rem]">
                {formatMoney(price, language)}
              </dd>
            </div>
          ))}
        </dl>
        <ButtonLink className="mt-8" look="light" to="/insurance">
          {t('home.insurance.button')}
        </ButtonLink>
      </div>
    </section>
  );
}

/** The heading with the lowest price over a picture of the Bosphorus, and the card for a first question. */
function Hero({ prices, children }: { prices: PriceList; children: ReactNode }) {
  const { t, language } = useTranslation(['site', 'catalog']);
  const { operator } = useSite();
  const path = 'without_document';
  const total = lowestTotal(prices, path);
  const processing = speedFee(prices, path, cheapestSpeed(path).processingType);
  return (
    <section className="relative z-0 text-cream wide:grid wide:min-h-[clamp(760px,58vw,940px)] wide:bg-ink">
      <div className="content pt-8.75 wide:grid wide:grid-cols-[minmax(0,1fr)_432px] wide:items-start wide:gap-[clamp(32px,5.6vw,72px)] wide:pt-16 wide:pb-14">
        {/* However long the text, it ends above the busy bands of the picture, two fifths of its height. */}
        <div className="**:focus-visible:outline-ring-on-ink max-wide:relative max-wide:min-h-[509px] max-wide:pb-18 wide:pb-[calc(max(25vw,304px)-116px)]">
          {/* On narrow screens the card covers the lower part of the picture. */}
          <div className="absolute -z-10 overflow-hidden max-wide:-inset-x-(--gutter) max-wide:-top-8.75 max-wide:-bottom-[101px] max-wide:bg-ink max-wide:*:h-[580px] max-wide:*:object-[17%_100%] wide:inset-x-0 wide:bottom-0 wide:h-[clamp(760px,58vw,940px)] *:top-auto">
            <HeroArt />
          </div>
          <h1 className="max-w-150 text-hero tracking-hero">
            <Trans
              components={{ nb: <span className="inline-block max-w-full" /> }}
              i18nKey="site:home.hero.title"
              t={t}
            />
          </h1>
          <p className="mt-3.75 text-all-in tracking-display wide:mt-6">
            <span className="figures">
              {t('site:home.hero.from', { total: formatMoney(total, language) })}
            </span>
          </p>
          <p className="mt-1.25 max-w-107.5 text-[1.0625rem] wide:text-[1.125rem]/[1.75rem]">
            {t('site:home.hero.lines', {
              fee: formatMoney(prices.evisaFee, language),
              processing: formatMoney(processing, language),
            })}
            {operator.authoritiesCharge
              ? ` ${t(`catalog:authoritiesCharge.${operator.authoritiesCharge}`)}`
              : null}
          </p>
          <p className="mt-2.5 max-w-107.5 text-small text-cream-2 rtl:max-w-117.5 [&_a]:text-cream">
            <OfficialSentence text="home.hero.private" />
          </p>
          <div className="hero-actions mt-4 flex flex-wrap gap-3">
            <ButtonLink look="light" small to="/application">
              {t('site:home.hero.apply')}
            </ButtonLink>
            <ButtonLink look="ink" small to="/status">
              {t('site:home.hero.status')}
            </ButtonLink>
          </div>
        </div>
        {children}
      </div>
    </section>
  );
}

/** Eightfold star line, at most once or twice a page. */
function StarLine() {
  return <div aria-hidden="true" className="star-line" />;
}

/** Girih line pattern that fades out towards the text; stands in a corner of a positioned ink panel. */
function GirihPattern() {
  return <div aria-hidden="true" className="girih" />;
}

/** A date in three weeks, as an example of how to type an arrival. */
const exampleArrival = (now: Date, language: Language): string =>
  formatDate(addDays(toPlainDate(now, TURKIYE), 21), language);
