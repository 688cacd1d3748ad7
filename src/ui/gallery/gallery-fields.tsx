import { AzPreview } from './az-preview.tsx';
import { CheckBox } from '../fields/check-box.tsx';
import { DateField } from '../fields/date-field.tsx';
import { FileField } from '../fields/file-field.tsx';
import { FieldRow } from '../layout.tsx';
import { RadioCards } from '../fields/radio-cards.tsx';
import { RadioList } from '../fields/radio-list.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { TextArea, TextField } from '../fields/text-field.tsx';
import { Row } from './gallery-row.tsx';

/** Controls of forms. */
export function GalleryFields() {
  return (
    <>
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
    </>
  );
}
