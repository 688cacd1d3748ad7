import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { TermsLink } from '~/features/application/cover-table.tsx';
import { Button } from '~/ui/button.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import type { BesideVisa } from '~/features/insurance/beside-visa.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import { nonBreaking } from './non-breaking.tsx';

/** The control that says which. */
export const INSURANCE = 'insurance';

/** The form's value for no insurance. */
export const NO_INSURANCE = 'none';

/** A function that writes a plan's length: "30 days". */
export function usePlanName(): (plan: Pick<Plan, 'id'>) => string {
  const { t } = useTranslation('application');
  return ({ id }) => t(`service.${id}.name`);
}

/** The insurance that can be added to the order: offered once, not preselected. */
export function InsuranceChoice({
  offer,
  chosen,
  error,
  onChoose,
}: {
  offer: BesideVisa;
  /** The initial choice. */
  chosen: string;
  /** Why what was chosen cannot be bought. */
  error: string | null;
  onChoose: (choice: string) => void;
}) {
  const { t, language } = useTranslation(['visa', 'insurance']);
  const { insurer, version } = offer.terms;
  const planName = usePlanName();
  const plans = offer.choices.map((plan) => {
    const day = formatDate(plan.until, language);
    return {
      value: plan.id,
      label: t('extra.option', {
        plan: planName(plan),
        amount: formatMoney(plan.price, language),
      }),
      hint: nonBreaking(t('extra.until', { day })),
    };
  });
  const isSuggested = ({ value }: { value: string }) => value === offer.suggested;
  const others = plans.filter((plan) => !isSuggested(plan));
  return (
    <div className="mt-4 wide:mt-10">
      <RadioList
        defaultValue={chosen}
        heading="h2"
        label={t('extra.title')}
        error={error}
        name={INSURANCE}
        onChange={(event) => onChoose(event.currentTarget.value)}
        folded={{
          label: t('extra.others'),
          options: others,
          below: (
            <p className="text-small flex flex-wrap items-center gap-x-6 text-ink-2">
              {insurer ? t('insurance:terms.insurer', { insurer }) : null}
              <Link className="inline-flex min-h-11 items-center" to="/insurance">
                {t('insurance:terms.bought')}
              </Link>
              <TermsLink version={version} />
            </p>
          ),
        }}
        options={[{ value: NO_INSURANCE, label: t('extra.none') }, ...plans.filter(isSuggested)]}
      />
      {/* With scripts the total updates automatically. */}
      <noscript>
        <Button className="mt-4" look="secondary" name="intent" type="submit" value="quote">
          {t('extra.update')}
        </Button>
      </noscript>
    </div>
  );
}
