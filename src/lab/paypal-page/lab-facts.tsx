import { useTranslation } from '~/ui/texts/texts.tsx';
import { toDecimal } from '~/base/money.ts';
import { Card, Facts, type Fact } from '~/ui/card.tsx';
import { LAB_AMOUNT } from './paypal-calls.ts';

/** What is paid, on every page that pays, and what the page adds. */
export function LabFacts({
  amount = toDecimal(LAB_AMOUNT),
  isLab = true,
  facts = [],
}: {
  /** Decimal, in USD. */
  amount?: string;
  /** Whether it is the fixed test payment, and not an order that somebody named. */
  isLab?: boolean;
  facts?: readonly Fact[];
}) {
  const { t } = useTranslation('lab');
  const shown = <bdi dir="ltr">{`${amount} USD`}</bdi>;
  return (
    <Card>
      <Facts
        facts={[
          { term: t('fact.amount'), value: shown, testId: 'total' },
          ...(isLab ? [{ term: t('fact.what'), value: t('insurance') }] : []),
          ...facts,
        ]}
        layout="rows"
      />
    </Card>
  );
}
