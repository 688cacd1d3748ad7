import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isRespelt, machineReadable } from './machine-readable.ts';

const text = (name: string) => {
  const read = machineReadable(name);
  return read.ok ? read.text : read.error;
};

describe('a name in the machine-readable lines', () => {
  test.each([
    ['Hernández Ruiz', 'HERNANDEZ RUIZ'],
    ['Sofía', 'SOFIA'],
    ['Müller-Lüdenscheidt', 'MUELLER LUEDENSCHEIDT'],
    ['Núñez', 'NUNEZ'],
    ['Strauß', 'STRAUSS'],
    ['Åse Bjørnson', 'AASE BJOERNSON'],
    ['Þórsdóttir', 'THORSDOTTIR'],
    ['Łukasz Đorđević', 'LUKASZ DORDEVIC'],
    ['Nguyễn Thị Hương', 'NGUYEN THI HUONG'],
    ['İbrahim Işık', 'IBRAHIM ISIK'],
    ['ıldız', 'ILDIZ'],
    ["O'Connor", 'OCONNOR'],
    ['D’Souza', 'DSOUZA'],
    ['  Anna   Maria  ', 'ANNA MARIA'],
    ['Smith‐Jones', 'SMITH JONES'],
    ['Jr.', 'JR'],
    ['Raj a/l Kumar', 'RAJ A L KUMAR'],
    ['KAILASH S/O TEJAS', 'KAILASH S O TEJAS'],
    ['Devi A／P Rao', 'DEVI A P RAO'],
    ['Siti binti Ali @ Ahmad', 'SITI BINTI ALI AHMAD'],
    ['Col·lell', 'COLLELL'],
    ['Coŀlell', 'COLLELL'],
    ['Col‧lell', 'COLLELL'],
    ['ＷＡＮＧ', 'WANG'],
    ['Ｊｏｈｎ・Ｓｍｉｔｈ', 'JOHN SMITH'],
    ['ʿAbd al-Raḥmān', 'ABD AL RAHMAN'],
    ['Naʾila', 'NAILA'],
    ['O´Brien', 'OBRIEN'],
    ['O＇Brien', 'OBRIEN'],
    ['ﬁona', 'FIONA'],
    ['Mª José', 'MA JOSE'],
    ['', ''],
    ['Ma\u0308rz', 'MAERZ'],
  ])('%s is %s', (name, expected) => expect(text(name)).toBe(expected));

  test.each(['مريم', 'Мария', '王', 'Иvan', 'Σοφία', 'न'])('%s has no Latin letters', (name) =>
    expect(text(name)).toBe('not_latin'),
  );
  test.each(['Ɗanjuma', 'Ɔkɔ', 'Ɛ'])('%s has Latin letters that lines do not print', (name) =>
    expect(text(name)).toBe('not_printed'),
  );
  test.each(['R2D2', 'Anna & Bo', 'a@b', '@ Bo', '٣'])(
    '%s has characters that no name has',
    (name) => expect(text(name)).toBe('characters'),
  );

  it('is made of A to Z and single spaces, and does not change when read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const read = machineReadable(name);
        if (!read.ok) return;
        expect(read.text).toMatch(/^([A-Z]+( [A-Z]+)*)?$/);
        expect(machineReadable(read.text)).toEqual(read);
      }),
    );
  });
});

describe('respelling', () => {
  test.each(['Sofía', 'Müller', 'ß'])('%s wants comparing', (name) =>
    expect(isRespelt(name)).toBe(true),
  );
  test.each(['Sofia', 'O’Connor', 'Smith-Jones', 'Raj a/l Kumar', 'ＷＡＮＧ', '', 'مريم'])(
    '%s does not',
    (name) => expect(isRespelt(name)).toBe(false),
  );
});
