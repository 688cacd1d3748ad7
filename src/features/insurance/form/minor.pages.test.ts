import { describe, expect, it } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { insurancePhoto } from '../store/tables.server.ts';
import { filledIn as answers, sentForm as form } from '../testing/visit.ts';
import { formVisits } from '../testing/form-visits.ts';

const { born2012, browser, photo, rows, submit, summaryOf } = await formVisits();

describe('a traveller under 18', () => {
  it('is offered no kind of photo that would be refused', async () => {
    const { html } = await browser()('/insurance');
    expect(html).toContain('accept="image/jpeg,image/png,image/webp"');
  });

  it('is asked for a parent’s ID, in the specification’s words', async () => {
    const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }));
    expect(summaryOf(html)).toEqual([
      [
        'parentIdPhotos',
        'Photos of a parent’s ID: Parent ID Required. Upload parent ID photos for under 18',
      ],
    ]);
  });

  it('keeps a photo over an error and a repetition, and stores it with the application', async () => {
    const visit = browser();
    const minor = { ...answers, ...born2012 };
    const mother = await photo('mother.jpg', '#135');
    const first = await visit('/insurance', form({ ...minor, phone: '' }, [mother]));
    expect(first.response.status).toBe(422);
    expect(summaryOf(first.html).map(([field]) => field)).toEqual(['phone']);
    expect(first.html).toContain('mother.jpg');
    expect(first.html).toContain('value="G38215640"');
    expect((await visit('/insurance')).html).toContain('mother.jpg');
    const before = await rows(insurancePhoto);
    const father = await photo('father.jpg', '#246');
    const done = await submit(visit, form(minor, [mother, father]));
    expect(done.location).toContain('/insurance/payment?ref=TRI');
    expect(await rows(insurancePhoto)).toBe(before + 1);
  });

  it('can take a photo back', async () => {
    const visit = browser();
    const sent = form({ ...answers, ...born2012, phone: '' }, [await photo('wrong.jpg')]);
    const { html } = await visit('/insurance', sent);
    const remove = /value="(remove_photo:[\w-]+)"/.exec(html)?.[1] ?? '';
    const before = await rows(insurancePhoto);
    const { location } = await visit(
      '/insurance',
      form({ ...answers, ...born2012, intent: remove }),
    );
    expect(location).toBe('/insurance#parentIdPhotos');
    expect(await rows(insurancePhoto)).toBe(before - 1);
    expect((await visit('/insurance')).html).not.toContain('wrong.jpg');
  });

  it('sees which file is no photo, and the others are kept', async () => {
    const visit = browser();
    const pdf = new File(['%PDF-1.7 not a photo'], 'id.jpg', { type: 'image/jpeg' });
    const sent = form({ ...answers, ...born2012 }, [await photo('good.jpg'), pdf]);
    const before = await rows(application);
    const { response, html } = await visit('/insurance', sent);
    expect(response.status).toBe(422);
    expect(summaryOf(html)).toEqual([
      [
        'parentIdPhotos',
        'Photos of a parent’s ID: id.jpg is the wrong type of file. Choose a JPEG, PNG or WebP file',
      ],
    ]);
    expect(html).toContain('good.jpg');
    expect(await rows(application)).toBe(before);
  });

  it('may send four photos', async () => {
    const five = await Promise.all([1, 2, 3, 4, 5].map((n) => photo(`${n}.jpg`, `#${n}${n}${n}`)));
    const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }, five));
    expect(summaryOf(html)).toEqual([
      ['parentIdPhotos', 'Photos of a parent’s ID: Too many photos. Upload no more than 4 photos'],
    ]);
  });
});
