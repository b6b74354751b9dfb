// RFC 8259, with the advice of RFC 7493 (I-JSON) as rules: what two parsers could read differently is refused.

const MAX_DEPTH = 64
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// A string up to its closing quote. The branches do not overlap, which keeps it linear.
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 forbids them unescaped.
const STRING = /"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y
const SPACE = /[ \t\n\r]*/y
const LITERALS: ReadonlyArray<readonly [string, boolean | null]> = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** The message is for the caller and never quotes the text. */
export class InvalidJson extends Error {}

/** Parses JSON bytes; refuses a byte order mark, invalid UTF-8, duplicate members, lone surrogates, NUL, infinite numbers and deep nesting. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  return new Reader(decode(bytes)).document()
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new InvalidJson('The body is not valid UTF-8.')
  }
}

class Reader {
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {}

  document(): unknown {
    // RFC 8259 section 8.1: a parser may ignore a byte order mark; this one refuses it.
    if (this.text.startsWith('\ufeff')) throw new InvalidJson('The body begins with a byte order mark.')
    const value = this.value()
    this.space()
    if (this.at < this.text.length) throw this.malformed()
    return value
  }

  private value(): unknown {
    this.space()
    switch (this.text[this.at]) {
      case '{':
        return this.nested(() => this.object())
      case '[':
        return this.nested(() => this.array())
      case '"':
        return this.string()
      default:
        return this.literalOrNumber()
    }
  }

  private nested<T>(read: () => T): T {
    this.depth += 1
    if (this.depth > MAX_DEPTH) throw new InvalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`)
    this.at += 1
    const value = read()
    this.depth -= 1
    return value
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    if (this.skip('}')) return object
    do {
      this.space()
      const name = this.string()
      if (name === '__proto__') throw new InvalidJson('A member is named __proto__.')
      if (Object.hasOwn(object, name)) throw new InvalidJson('A member is repeated.')
      if (!this.skip(':')) throw this.malformed()
      object[name] = this.value()
    } while (this.skip(','))
    if (!this.skip('}')) throw this.malformed()
    if (pollutes(object)) throw new InvalidJson('A member is named constructor.prototype.')
    return object
  }

  private array(): unknown[] {
    const array: unknown[] = []
    if (this.skip(']')) return array
    do array.push(this.value())
    while (this.skip(','))
    if (!this.skip(']')) throw this.malformed()
    return array
  }

  private string(): string {
    const raw = this.match(STRING)
    if (raw === undefined) throw this.malformed()
    const string: string = raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1)
    if (!string.isWellFormed()) throw new InvalidJson('A string contains half of a surrogate pair.')
    // PostgreSQL stores it neither in text nor in jsonb.
    if (string.includes('\0')) throw new InvalidJson('A string contains a NUL character.')
    return string
  }

  private literalOrNumber(): unknown {
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    const digits = this.match(NUMBER)
    if (digits === undefined) throw this.malformed()
    const number = Number(digits)
    if (!Number.isFinite(number)) throw new InvalidJson('A number is too large.')
    return number
  }

  /** Skips spaces, and the mark if it is next. */
  private skip(mark: string): boolean {
    this.space()
    if (this.text[this.at] !== mark) return false
    this.at += 1
    return true
  }

  private space(): void {
    // Most tokens follow without a space: avoid the pattern.
    if (this.text.charCodeAt(this.at) <= 0x20) this.match(SPACE)
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const matched = pattern.exec(this.text)?.[0]
    if (matched !== undefined) this.at += matched.length
    return matched
  }

  private malformed(): InvalidJson {
    return new InvalidJson(this.at >= this.text.length ? 'The JSON ends too early.' : `The JSON is malformed at character ${this.at}.`)
  }
}

function pollutes(object: Record<string, unknown>): boolean {
  const inherited = Object.hasOwn(object, 'constructor') ? object.constructor : undefined
  return typeof inherited === 'object' && inherited !== null && Object.hasOwn(inherited, 'prototype')
}
