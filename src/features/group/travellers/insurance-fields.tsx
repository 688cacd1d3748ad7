import { formatMoney } from '~/base/money.ts';
import { usePlanName } from '~/features/visa/parts/insurance-choice.tsx';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { FormGroup } from '~/ui/layout.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useTravellerName } from './traveller-card.tsx';
import { planControl, type PlanOffered, type TravellerView } from './travellers-view.ts';

/** The insurance plan of each traveller; none by default. */
export function InsuranceFields({
  travellers,
  plans,
  onChoose,
}: {
  travellers: readonly TravellerView[];
  plans: readonly PlanOffered[];
  onChoose: (position: number, plan: string) => void;
}) {
  const { t } = useTranslation(['group', 'visa', 'insurance']);
  const language = useLanguage();
  const planName = usePlanName();
  const nameOf = useTravellerName();
  return (
    <FormGroup hint={t('travellers.insuranceHint')} title={t('travellers.insurance')}>
      {travellers.map((traveller) => (
        <SelectField
          defaultValue={traveller.insurance.chosen ?? ''}
          emptyLabel={t('visa:extra.none')}
          key={traveller.position}
          label={t('travellers.insuranceFor', { name: nameOf(traveller) })}
          name={planControl(traveller.position)}
          onChange={(event) => onChoose(traveller.position, event.currentTarget.value)}
          options={plans.map((plan) => ({
            value: plan.id,
            label: t('visa:extra.option', {
              plan: planName(plan),
              amount: formatMoney(plan.price, language),
            }),
          }))}
          width="email"
        />
      ))}
      <p>
        <Link className="inline-flex min-h-11 items-center" to="/insurance">
          {t('insurance:terms.bought')}
        </Link>
      </p>
      {/* With scripts the total updates automatically. */}
      <noscript>
        <Button look="secondary" name="intent" value="quote">
          {t('visa:extra.update')}
        </Button>
      </noscript>
    </FormGroup>
  );
}
