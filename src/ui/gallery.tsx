import type { ReactNode } from 'react';
import { Answers } from './answers.tsx';
import { AzPreview } from './az-preview.tsx';
import { Button } from './button.tsx';
import { Card, Facts, Panel } from './card.tsx';
import { CheckBox } from './check-box.tsx';
import { DateField } from './date-field.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { FileField } from './file-field.tsx';
import { FieldRow, FormActions } from './layout.tsx';
import { Lookup } from './lookup.tsx';
import { LuggageTag, OneLineTotal } from './luggage-tag.tsx';
import { Notice } from './notice.tsx';
import { OrderSummary } from './order-summary.tsx';
import { StarLine } from './ornament.tsx';
import { Pass } from './pass.tsx';
import { Progress } from './progress.tsx';
import { RadioCards } from './radio-cards.tsx';
import { RadioList } from './radio-list.tsx';
import { Segment } from './segment.tsx';
import { SelectField } from './select-field.tsx';
import { Skeleton } from './skeleton.tsx';
import { StatusTag } from './status-tag.tsx';
import { TextArea, TextField } from './text-field.tsx';
import { Timeline } from './timeline.tsx';
import { ToastProvider, useToast } from './toast.tsx';
import { Tooltip } from './tooltip.tsx';

/** Every component and its states on one page, for development and screenshots; never part of the service. */
export default function Gallery() {
  return (
    <ToastProvider>
      <div className="content gallery">
        <h1>Components and their states</h1>
        <Row title="Button">
          <div className="flex flex-wrap gap-3.5">
            <Button>Pay $94.00</Button>
            <Button busy>Opening payment</Button>
            <Button disabled>Disabled</Button>
            <Button arrow>Next: your details</Button>
            <Button look="secondary">Secondary</Button>
            <Button look="plain">Previous</Button>
            <Button look="danger">Reject…</Button>
            <Button small>Small, 44 px</Button>
            <Button icon="print" look="secondary">
              Print
            </Button>
          </div>
        </Row>
        <Row title="Field">
          <FieldRow>
            <TextField
              hint="As printed in the passport"
              label="Place of birth"
              name="a1"
              width="full"
            />
            <TextField
              defaultValue="Guadalajara"
              hint="Ring 3 px cobalt"
              label="Focus"
              name="a2"
              width="full"
            />
          </FieldRow>
          <FieldRow>
            <TextField
              defaultValue="sofia@correo"
              error="Invalid email address. Please enter a valid email address."
              label="Email"
              latin
              name="a3"
              type="email"
              width="full"
            />
            <TextField
              defaultValue="Mexico"
              disabled
              hint="Taken from step 1"
              label="Disabled"
              name="a4"
              width="full"
            />
          </FieldRow>
          <DateField
            defaultValue={{ day: '14', month: 'July', year: '1991' }}
            label="Date of birth"
            name="dateOfBirth"
          />
          <DateField
            defaultValue={{ day: '4', month: 'March', year: '2026' }}
            error="Passport Expired. The expiry date must be in the future."
            hint="At least 6 months after you arrive"
            label="Passport expiry date"
            name="passportExpiryDate"
          />
          <TextArea hint="Street, number, postcode, town" label="Address" name="address" />
          <FileField hint="PDF, up to 5 MB" label="Document" name="file" />
        </Row>
        <Row title="Select, check box">
          <FieldRow>
            <SelectField
              label="Nationality"
              name="countryId"
              options={[{ value: 'MEX', label: 'Mexico' }]}
              width="full"
            />
            <div className="flex flex-wrap gap-7">
              <CheckBox label="Unlimited" name="unlimited" />
              <CheckBox defaultChecked label="My passport is ordinary" name="ordinary" />
            </div>
          </FieldRow>
          <CheckBox
            error="Please confirm this."
            label="I will stay for 30 days at most"
            name="stay"
          />
          <RadioList
            inline
            label="Do you hold a visa or residence permit?"
            name="supporting"
            options={[
              { value: 'yes', label: 'Yes' },
              { value: 'no', label: 'No' },
            ]}
          />
          <AzPreview
            confirmLabel="This matches my passport"
            defaultChecked
            label="As in the two machine-readable lines"
            name="azConfirmed"
            value="HERNANDEZ RUIZ, SOFIA"
          />
        </Row>
        <Row title="Radio card">
          <RadioCards
            cards={[
              {
                value: 'standard',
                name: 'Standard',
                details: ['24–48 working hours,', 'usually 5–7 days'],
                momentLabel: 'Ready by',
                moment: 'Thu 26 Nov, 13:20',
                momentNote: '16:20 in Türkiye',
                price: '$94.00',
              },
              {
                value: 'fast',
                name: 'Fast',
                details: ['6–12 working hours,', 'usually 1–3 days'],
                momentLabel: 'Ready by',
                moment: 'Fri 20 Nov, 13:20',
                momentNote: '16:20 in Türkiye',
                price: '$144.00',
              },
              {
                value: 'slow',
                name: 'Slow',
                details: ['7 working days,', 'too late for your arrival'],
                momentLabel: 'Ready by',
                moment: 'Mon 30 Nov, 10:20',
                momentNote: 'after 28 November',
                price: '$119.00',
                disabled: true,
              },
            ]}
            defaultValue="standard"
            label="How soon do you need it?"
            name="processingType"
          />
        </Row>
        <Row title="Status tag">
          <div className="flex flex-wrap gap-3.5">
            <StatusTag tone="amber">Pending</StatusTag>
            <StatusTag tone="blue">Processing</StatusTag>
            <StatusTag tone="green">Approved</StatusTag>
            <StatusTag tone="red">Rejected</StatusTag>
            <StatusTag icon="check" tone="green">
              Payment received
            </StatusTag>
            <StatusTag tone="neutral">Refunded</StatusTag>
          </div>
        </Row>
        <Row title="Notice">
          <div className="grid gap-3.5 wide:grid-cols-2">
            <Notice title="E-visa available" tone="green">
              Mexico, ordinary passport: 30 days, single entry. From $94.00, ready by Thu 26 Nov,
              13:20.
            </Notice>
            <Notice title="No visa needed" tone="blue">
              90 days without a visa. You may still want travel insurance.
            </Notice>
            <Notice title="One more document" tone="amber">
              A valid visa or residence permit of a Schengen state, the USA, the UK or Ireland.
            </Notice>
            <Notice title="No e-visa on this document" tone="red">
              Service passports apply at a Turkish consulate.
            </Notice>
          </div>
        </Row>
        <Row title="Toast, tooltip">
          <ToastButton />
          <Tooltip text="Copies the number">
            <button type="button">Copy</button>
          </Tooltip>
          <Skeleton label="Loading" />
        </Row>
        <Row title="Error summary">
          <ErrorSummary
            problems={[
              {
                name: 'passportExpiryDate',
                message: 'Passport Expired: the expiry date must be in the future',
              },
              { name: 'a3', message: 'Invalid email address: please enter a valid email address' },
            ]}
          />
        </Row>
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
            note="These are Lale’s prices, not a government fee."
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
                <h3 className="heading-small">Progress</h3>
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
      </div>
    </ToastProvider>
  );
}

function ToastButton() {
  const { toast } = useToast();
  return (
    <Button
      look="secondary"
      onClick={() =>
        toast({
          title: 'Payment Error',
          description: 'There was an issue initializing payment.',
          tone: 'error',
          action: { label: 'Retry', onSelect: () => undefined },
        })
      }
      type="button"
    >
      Show a toast
    </Button>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="gallery-row">
      <h2 className="heading-form">{title}</h2>
      <div className="gallery-parts">{children}</div>
    </section>
  );
}
