const segmenter = new Intl.Segmenter()
// UAX #11: characters that take two columns.
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
// Control characters except the tab, and bidirectional formatting: whatever moves a cursor, changes colours or reverses text.
const CONTROL = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  // Most text is ASCII, and segmentation is slow.
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** The beginning of a text that fits, with an ellipsis if it is cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Foreign text, without anything that a terminal would execute. */
export function sanitize(text: string): string {
  return text.replace(CONTROL, '\ufffd')
}

/** The same for the strings of JSON and YAML, which can hold such characters escaped: the value stays the same. */
export function escapeControls(text: string): string {
  return text.replace(CONTROL, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
