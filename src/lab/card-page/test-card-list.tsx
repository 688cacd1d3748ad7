import { useTranslation } from '~/ui/texts/texts.tsx';
import { groupCardNumber, testCards, type TestCard } from '../gateway/test-cards.ts';

const effectOf = (behaviour: TestCard) =>
  behaviour.kind === 'declined' ? behaviour.reason : behaviour.kind;

/** The test numbers and what each does. */
export function TestCardList() {
  const { t } = useTranslation('gateway');
  return (
    <section className="mt-8">
      <h2>{t('cards.title')}</h2>
      <p>{t('cards.text')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('cards.number')}</th>
            <th scope="col">{t('cards.effect')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(testCards).map(([number, behaviour]) => (
            <tr key={number}>
              <td>
                <bdi className="gateway-number" dir="ltr">
                  {groupCardNumber(number)}
                </bdi>
              </td>
              <td>{t(`cards.${effectOf(behaviour)}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
