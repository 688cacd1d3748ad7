import { pdfFonts } from './pdf.server.ts';
import {
  Line,
  Path,
  Svg,
  Text,
  View,
  type Styles,
  type TextProps,
  type ViewProps,
} from '@react-pdf/renderer';

/** The site's colours, for documents. */
export const colour = {
  ink: '#0B2A3C',
  ink2: '#41586A',
  line: '#E4DACA',
  perforation: '#C9A98C',
  tulip: '#C9493B',
  brass: '#B8893B',
  travertine: '#FBF8F2',
  red: '#8C1D18',
  redGround: '#FBE3E0',
};

/** The measures of the drawing are pixels at 96 to the inch; a point is four thirds of one. */
export const px = (pixels: number): number => pixels * 0.75;

/**
 * What our documents share in one reading direction: margins, fonts, the head and the small print. `gap` is a distance
 * in pixels that halves where a document is `dense`.
 */
export function paperLook(direction: 'ltr' | 'rtl', dense: boolean) {
  const gap = (pixels: number) => px(dense ? pixels * 0.5 : pixels);
  const isRtl = direction === 'rtl';
  const row = isRtl ? 'row-reverse' : 'row';
  // Not handed down from the page: without it a line of Arabic is ordered as if it were a quotation.
  const text = { textAlign: isRtl ? 'right' : 'left', direction } as const;
  return {
    gap,
    isRtl,
    row,
    text,
    fonts: pdfFonts[direction],
    end: isRtl ? 'left' : 'right',
    alignStart: isRtl ? 'flex-end' : 'flex-start',
    alignEnd: isRtl ? 'flex-start' : 'flex-end',
    mono: { fontFamily: pdfFonts.mono, fontWeight: 500 },
    head: {
      flexDirection: row,
      justifyContent: 'space-between',
      alignItems: 'center',
      borderBottom: `1 solid ${colour.ink}`,
    },
    small: {
      marginTop: gap(12),
      fontSize: px(11.5),
      // Arabic letters reach higher and lower.
      lineHeight: isRtl ? 1.7 : 1.45,
      color: colour.ink2,
      ...text,
    },
  } as const;
}

/** The mark of the site: two petals of ink, one of tulip. Never mirrored. */
function LogoMark() {
  return (
    <Svg height={px(32)} viewBox="0 0 25 34" width={px(24)}>
      <Path
        d="M4.3 4.7C2.7 10.2 2.8 15.6 3.3 20c.8 7.4 4.5 12.6 9 12.7-.4-4.2-.8-9-1.5-13.7-.9-5.6-3-10.2-6.5-14.3M20.7 4.7c1.6 5.5 1.5 10.9 1 15.3-.8 7.4-4.5 12.6-9 12.7.4-4.2.8-9 1.5-13.7.9-5.6 3-10.2 6.5-14.3"
        fill={colour.ink}
      />
      <Path
        d="M12.5 1.2c1.5 4.6 2.2 9 2.2 13.2 0 4.6-.9 9-2.2 13.4-1.3-4.4-2.2-8.8-2.2-13.4 0-4.2.7-8.6 2.2-13.2"
        fill={colour.tulip}
      />
    </Svg>
  );
}

/** The mark beside the name, in Latin letters on every document. */
export function Lockup() {
  return (
    <View style={{ flexDirection: 'row', alignItems: 'center', gap: px(10) }}>
      <LogoMark />
      <Text
        style={{
          fontFamily: pdfFonts.ltr.heading,
          fontWeight: 600,
          fontSize: px(25),
          lineHeight: 1.2,
        }}
      >
        Lale
      </Text>
    </View>
  );
}

/** An A4 page without its margins, in points. */
const TEXT_WIDTH = 487;

/** The line along which a ticket is torn off. */
export function Perforation({ style }: { style?: Styles[string] }) {
  return (
    <View style={style}>
      <Svg height={1} viewBox={`0 0 ${TEXT_WIDTH} 1`} width="100%">
        <Line
          stroke={colour.perforation}
          strokeDasharray="5 3"
          strokeWidth={1}
          x1={0}
          x2={TEXT_WIDTH}
          y1={0.5}
          y2={0.5}
        />
      </Svg>
    </View>
  );
}

const TILE = 64;
const TILES = 10;

/** The eightfold star line, as wide as the text. */
export function StarLine({ style }: { style: Styles[string] }) {
  return (
    <View style={style}>
      <Svg viewBox={`0 0 ${TILE * TILES} 28`} width="100%">
        {Array.from({ length: TILES }, (_, index) => (
          <Star key={index} x={index * TILE} />
        ))}
      </Svg>
    </View>
  );
}

function Star({ x }: { x: number }) {
  return (
    <>
      <Path d={`M${x} 14h20M${x + 44} 14h20`} stroke={colour.brass} strokeWidth={1} />
      <Path
        d={`M${x + 32} 3l3.2 3.3 4.6-.1-.1 4.6L${x + 43} 14l-3.3 3.2.1 4.6-4.6-.1L${x + 32} 25l-3.2-3.3-4.6.1.1-4.6L${x + 21} 14l3.3-3.2-.1-4.6 4.6.1zM${x} 11l3 3-3 3zM${x + 64} 11l-3 3 3 3z`}
        fill={colour.brass}
      />
      <Path
        d={`M${x + 32} 8.6l1.6 1.6h2.2v2.2L${x + 37.4} 14l-1.6 1.6v2.2h-2.2L${x + 32} 19.4l-1.6-1.6h-2.2v-2.2L${x + 26.6} 14l1.6-1.6v-2.2h2.2z`}
        fill={colour.travertine}
      />
      <Path d={`M${x + 32} 11.8l2.2 2.2-2.2 2.2-2.2-2.2z`} fill={colour.brass} />
    </>
  );
}

/**
 * A text that is drawn in pieces, and read and copied as one: the library never breaks words, and breaks those with letters
 * of two fonts between them.
 */
export function Pieces({
  text,
  pieces,
  style,
  pieceStyle,
  tag,
}: {
  text: string;
  pieces: readonly string[];
  style: ViewProps['style'];
  pieceStyle?: TextProps['style'];
  tag: 'P' | 'LBody';
}) {
  return (
    <View actual={text} style={style} tag={tag}>
      {pieces.map((piece, index) => (
        <Text key={index} style={pieceStyle}>
          {piece}
        </Text>
      ))}
    </View>
  );
}
