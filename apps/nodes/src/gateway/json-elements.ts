// Splits a JSON text into elements as they are written. The text was parsed before: nothing here checks the grammar again.

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The texts of an array's elements; of an object its members, each with its name. */
export function elementTexts(text: string): string[] {
  const elements: string[] = []
  let depth = 0
  let start = 0
  const cut = (end: number) => {
    const element = text.slice(start, end).trim()
    if (element !== '') elements.push(element)
    start = end + 1
  }
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at)
        break
      case 0x5b:
      case 0x7b:
        if (++depth === 1) start = at + 1
        break
      case 0x5d:
      case 0x7d:
        if (--depth === 0) cut(at)
        break
      case 0x2c:
        if (depth === 1) cut(at)
    }
  }
  return elements
}

/** The text of a member's value, as it came: numbers beyond 2^53 and escapes are not changed. */
export function memberOf(text: string, name: string): string | undefined {
  for (const element of elementTexts(text)) {
    const end = stringEnd(element, 0) + 1
    if (JSON.parse(element.slice(0, end)) === name) return element.slice(element.indexOf(':', end) + 1).trim()
  }
  return undefined
}

/** The place of the quote that ends the string which begins here. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
