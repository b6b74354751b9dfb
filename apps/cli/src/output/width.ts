const segmenter = new Intl.Segmenter()
// UAX #11: what East Asian typography and emoji give two places.
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
// Control characters but the tab, and those of direction: what moves a cursor, changes colours or turns the direction of writing.
const CONTROL = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** How many places of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** As much of the beginning as fits, with a mark where something is missing. */
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

/** Text of others, without what a terminal would carry out. */
export function sanitize(text: string): string {
  return text.replace(CONTROL, '\ufffd')
}
