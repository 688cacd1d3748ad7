import { Text, View, type TextProps, type ViewProps } from '@react-pdf/renderer';

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
