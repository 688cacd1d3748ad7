import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { partsOf } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { CheckedOn, EligibilityText } from '~/features/catalog/eligibility-text.tsx';
import type { Eligibility } from '~/features/catalog/eligibility.ts';
import { noteFor } from '~/features/catalog/notes.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Notice, type NoticeTone } from '~/ui/notice.tsx';
import { MomentText } from '../moment-text.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { VisaCheck } from './visa-check.ts';

type Answer = NonNullable<VisaCheck['answer']>;

const tones: Record<Eligibility['regime'], NoticeTone> = {
  visa_free: 'blue',
  evisa: 'green',
  evisa_with_document: 'green',
  no_evisa: 'red',
};

/** The answer: what is possible, from when, at which price, and a link to continue. */
export function CheckAnswer({ answer }: { answer: Answer }) {
  const { t } = useTranslation(['site', 'catalog']);
  const { country, eligibility, offer } = answer;
  const note = answer.documentType === 'ordinary' ? noteFor(country) : undefined;
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
        <ButtonLink look="secondary" to={`/insurance?country=${country.code}`} wide>
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
  const { t } = useTranslation('site');
  const language = useLanguage();
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
    const { day, month, year } = partsOf(arrivalDate);
    query.set('arrivalDate-day', String(day));
    query.set('arrivalDate-month', String(month));
    query.set('arrivalDate-year', String(year));
  }
  return query.toString();
}
