import { Answers } from '../answers.tsx';
import { Button } from '../button.tsx';
import { Card, Facts, Panel } from '../card.tsx';
import { FormActions } from '../layout.tsx';
import { Lookup } from '../fields/lookup.tsx';
import { LuggageTag, OneLineTotal } from '../tag/luggage-tag.tsx';
import { OrderSummary } from '../order-summary.tsx';
import { StarLine } from '../tag/ornament.tsx';
import { Pass } from '../tag/pass.tsx';
import { Progress } from '../progress.tsx';
import { Segment } from '../fields/segment.tsx';
import { Timeline } from '../timeline.tsx';
import { Row } from './gallery-row.tsx';

/** Progress, order summaries and results. */
export function GalleryJourney() {
  return (
    <>
      <Row title="Progress, tag">
        <Progress
          current={2}
          steps={[
            'Nationality',
            'What it allows',
            'Arrival and processing',
            'Your details',
            'Check and pay',
          ].map((label, index) => ({ label, to: `/step-${index}` }))}
        />
        <div className="max-w-[352px]">
          <LuggageTag
            facts={[
              { term: 'Document', value: 'Ordinary passport' },
              { term: 'Allows', value: '30 days, single entry' },
              { term: 'Arrival', value: '12 December 2026' },
              { term: 'Ready by', value: 'Thu 26 Nov, 13:20' },
              { term: 'E-visa fee (PDF fee)', value: '$69.00' },
              { term: 'Standard processing', value: '$25.00' },
            ]}
            from={{ code: 'MEX', label: 'Passport' }}
            label="Your application"
            numberLabel="Number, given when you submit"
            numberPrefix="TRV"
            to={{ code: 'TUR', label: 'Destination' }}
            total={{ label: 'Total to pay', amount: '$94.00' }}
          />
        </div>
        <OneLineTotal amount="$94.00" label="Total, ready by Thu 26 Nov 13:20" />
        <FormActions>
          <Button arrow>Next: your details</Button>
          <Button look="plain">Previous</Button>
        </FormActions>
      </Row>
      <Row title="Answers">
        <Answers
          answers={[
            { term: 'Nationality', value: 'Mexico', change: '/a' },
            {
              term: 'Passport number',
              value: 'G38215640',
              change: '/b',
              mono: true,
              latin: true,
            },
          ]}
          title="Trip"
        />
        <OrderSummary
          lines={[
            { label: 'E-visa fee (PDF fee)', amount: '$69.00' },
            { label: 'Standard processing', amount: '$25.00' },
          ]}
          note="These are Lale’s prices, not government fees."
          title="Order summary"
          total={{ label: 'Total', amount: '$94.00' }}
        />
      </Row>
      <Row title="Pass">
        <Pass
          actions={
            <>
              <Button>Track application</Button>
              <Button icon="print" look="secondary">
                Print
              </Button>
            </>
          }
          facts={[{ term: 'Transaction', value: '8F4A-20C7-51BE', mono: true }]}
          lines={[
            { label: 'E-visa fee (PDF fee)', amount: '$69.00' },
            { label: 'Standard processing', amount: '$25.00' },
          ]}
          number="TRV7K2M9QXD4HPBR"
          numberLabel="Your application number. Keep it: it opens your status page."
          paid={{ label: 'Paid', amount: '$94.00' }}
        />
      </Row>
      <Row title="Status">
        <Segment
          defaultValue="visa"
          legend="What to look up"
          name="kind"
          options={[
            { value: 'visa', label: 'E-visa' },
            { value: 'insurance', label: 'Insurance' },
          ]}
        />
        <Lookup
          button="Find"
          defaultValue="TRV 7K2M 9QXD 4HPB R"
          label="Application number"
          name="ref"
        />
        <Panel
          side={
            <>
              <h3 className="text-h3">Progress</h3>
              <Timeline
                events={[
                  {
                    title: 'Application submitted',
                    detail: 'Thu 19 Nov, 10:21 UTC',
                    state: 'done',
                  },
                  { title: 'Under review', detail: 'Since Thu 19 Nov, 11:05 UTC', state: 'now' },
                  {
                    title: 'Processing',
                    detail: 'Handed to the issuing authority',
                    state: 'next',
                  },
                  { title: 'Approved', detail: 'By Thu 26 Nov, 13:20 UTC', state: 'next' },
                ]}
              />
            </>
          }
        >
          <Facts
            facts={[
              { term: 'Applicant', value: 'Sofía Hernández Ruiz' },
              { term: 'Applied on', value: '19 November 2026' },
              { term: 'Payment', value: 'Completed, $94.00' },
              { term: 'Transaction', value: '8F4A-20C7-51BE', mono: true },
            ]}
          />
        </Panel>
        <Card>A card</Card>
        <StarLine />
      </Row>
    </>
  );
}
