import { useTranslation } from '~/ui/texts/texts.tsx';
import { toDecimal } from '~/base/money.ts';
import { Card, Facts, type Fact } from '~/ui/card.tsx';
import { LAB_AMOUNT } from './paypal-calls.ts';

/** What is paid, on every page that pays, with the page's own facts. */
export function LabFacts({
  amount = toDecimal(LAB_AMOUNT),
  isLab = true,
  facts = [],
}: {
  /** Decimal, in USD. */
  amount?: string;
  /** Whether it is the fixed test payment, not an order that was named. */
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
