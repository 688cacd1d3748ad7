import { Button } from '../button.tsx';
import { ErrorSummary } from '../fields/error-summary.tsx';
import { Notice } from '../notice.tsx';
import { StatusTag } from '../status-tag.tsx';
import { ToastProvider, useToast } from '../toast/toast.tsx';
import { Tooltip } from '../tooltip.tsx';
import { GalleryFields } from './gallery-fields.tsx';
import { GalleryJourney } from './gallery-journey.tsx';
import { Row } from './gallery-row.tsx';
import '~/ui/css/staff.css';

/** Every component and its states on one page, for development and screenshots; never part of the service. */
export default function Gallery() {
  return (
    <ToastProvider>
      <div className="content py-14">
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
        <GalleryFields />
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
        <GalleryJourney />
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
