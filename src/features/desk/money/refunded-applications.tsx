import type { ReactNode } from 'react';
import { byTraveller } from '~/features/application/travellers.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { OrderView } from './order-view.server.ts';

type Bought = OrderView['applications'];

/** Chooses what is to be refunded: all of a traveller, or single applications. */
export function RefundedApplications({
  bought,
  chosen,
}: {
  bought: Bought;
  /** Numbers. */
  chosen: readonly string[];
}) {
  const { t } = useTranslation('refund');
  const travellers = byTraveller(bought);
  return (
    <FieldSet label={t(travellers.length > 1 ? 'form.travellers' : 'form.applications')} name="app">
      {travellers.length > 1
        ? travellers.map(({ position, applications }) => (
            <TravellerChoice applications={applications} chosen={chosen} key={position} />
          ))
        : bought.map((one) => (
            <ApplicationChoice checked={chosen.includes(one.number)} key={one.number} one={one} />
          ))}
    </FieldSet>
  );
}

function TravellerChoice({
  applications,
  chosen,
}: {
  applications: Bought;
  chosen: readonly string[];
}) {
  const { t } = useTranslation('refund');
  const [first, ...others] = applications;
  if (!first) return null;
  const position = first.travellerPosition;
  const isWhole = applications.every(({ number }) => chosen.includes(number));
  if (others.length === 0) return <ApplicationChoice checked={isWhole} one={first} />;
  return (
    <div>
      <Choice checked={isWhole} name="traveller" value={String(position)}>
        <bdi>{first.name}</bdi>, {t('form.whole')}
      </Choice>
      <div className="ps-9">
        {applications.map(({ number, kind }) => (
          <Choice
            checked={!isWhole && chosen.includes(number)}
            key={number}
            name="app"
            value={number}
          >
            {t(`form.only.${kind}`)}{' '}
            <bdi className="mono" dir="ltr">
              {number}
            </bdi>
          </Choice>
        ))}
      </div>
    </div>
  );
}

function ApplicationChoice({ checked, one }: { checked: boolean; one: Bought[number] }) {
  return (
    <Choice checked={checked} name="app" value={one.number}>
      <bdi>{one.name}</bdi>{' '}
      <bdi className="mono" dir="ltr">
        {one.number}
      </bdi>
    </Choice>
  );
}

function Choice({
  checked,
  children,
  name,
  value,
}: {
  checked: boolean;
  children: ReactNode;
  name: string;
  value: string;
}) {
  return (
    <CheckBox
      defaultChecked={checked}
      id={`refund-${name}-${value}`}
      label={children}
      name={name}
      value={value}
    />
  );
}
