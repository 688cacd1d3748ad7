import { Document, Page, Text } from '@react-pdf/renderer';
import { pdfFonts } from '../pdf/pdf.server.ts';

/** A page of one text. */
export const page = (text: string) => (
  <Document>
    <Page style={{ fontFamily: pdfFonts.ltr.text }}>
      <Text>{text}</Text>
    </Page>
  </Document>
);
