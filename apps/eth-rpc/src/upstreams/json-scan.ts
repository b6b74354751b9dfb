// What a byte means outside a string; any other closes a bracket or does not occur there (RFC 8259 section 2).
const OTHER = 0
const PLAIN = 1
const OPENS_STRING = 2
const OPENS = 3
const KIND = kinds()

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const MAX_SCALAR_LENGTH = 512
// The runtime finds the end of a longer string faster than a loop does.
const SHORT_STRING = 32

/** Where the text stopped being JSON. */
export const NOT_JSON = -1

export function skipSpace(bytes: Buffer, at: number): number {
  let i = at
  while (isSpace(bytes[i])) i++
  return i
}

/** The end of the value that begins here, or NOT_JSON. Inside an object or an array only strings and brackets are checked. */
export function skipValue(bytes: Buffer, at: number): number {
  switch (KIND[bytes[at] ?? 0]) {
    case OPENS_STRING:
      return skipString(bytes, at)
    case OPENS:
      return skipNested(bytes, at)
    case PLAIN:
      return skipScalar(bytes, at)
    default:
      return NOT_JSON
  }
}

/** The same of the string whose opening quote is here. */
export function skipString(bytes: Buffer, at: number): number {
  const near = Math.min(at + 1 + SHORT_STRING, bytes.length)
  let i = at + 1
  while (i < near) {
    const byte = bytes[i]
    if (byte === QUOTE) return i + 1
    i += byte === BACKSLASH ? 2 : 1
  }
  return skipLongString(bytes, i)
}

function skipLongString(bytes: Buffer, at: number): number {
  for (let from = at; ; ) {
    const quote = bytes.indexOf(QUOTE, from)
    if (quote < from) return NOT_JSON
    let escapes = quote
    while (escapes > from && bytes[escapes - 1] === BACKSLASH) escapes--
    if ((quote - escapes) % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function skipNested(bytes: Buffer, at: number): number {
  // The brackets that are open, as the bytes that close them: in ASCII two after those that open.
  const open: number[] = []
  let i = at
  do {
    const byte = bytes[i] ?? 0
    const kind = KIND[byte]
    if (kind === OPENS) open.push(byte + 2)
    else if (kind === OTHER && open.pop() !== byte) return NOT_JSON
    i = kind === OPENS_STRING ? skipString(bytes, i) : i + 1
  } while (open.length > 0 && i !== NOT_JSON)
  return i
}

function skipScalar(bytes: Buffer, at: number): number {
  let end = at
  while (end - at < MAX_SCALAR_LENGTH && KIND[bytes[end] ?? 0] === PLAIN && !isSeparator(bytes[end])) end++
  return SCALAR.test(bytes.toString('latin1', at, end)) ? end : NOT_JSON
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isSeparator(byte: number | undefined): boolean {
  return byte === 0x2c || byte === 0x3a || isSpace(byte)
}

function kinds(): Uint8Array {
  const table = new Uint8Array(256)
  const mark = (characters: string, kind: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = kind
  }
  mark(' \t\r\n,:+-.0123456789eEtrufalsn', PLAIN)
  mark('"', OPENS_STRING)
  mark('{[', OPENS)
  return table
}
