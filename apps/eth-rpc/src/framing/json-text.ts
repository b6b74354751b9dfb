// For text that JSON.parse has accepted: nothing here checks the grammar again.

/** Deeper than any call of the specification nests its parameters. */
const MAX_DEPTH = 32

/** JSON allows it, and we do not. */
export class RefusedJson extends Error {}

/** Where a value begins and ends. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** The members of the object that begins here, by name. */
export function membersOf(text: string, start: number): { members: Map<string, TextSpan>; end: number } {
  const members = new Map<string, TextSpan>()
  let at = skipBlank(text, start + 1)
  while (text[at] !== '}') {
    const nameEnd = stringEnd(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const value = valueAt(text, skipBlank(text, nameEnd) + 1)
    // JSON.parse takes the last of two, other parsers the first: it may be meant to be understood in two ways.
    if (members.has(name)) throw new RefusedJson('a member stands twice')
    members.set(name, value)
    at = skipBlank(text, value.end)
    if (text[at] === ',') at = skipBlank(text, at + 1)
  }
  return { members, end: at + 1 }
}

/** The elements of the array that begins here. */
export function elementsOf(text: string, start: number): TextSpan[] {
  const elements: TextSpan[] = []
  let at = skipBlank(text, start + 1)
  while (text[at] !== ']') {
    const value = valueAt(text, at)
    elements.push(value)
    at = skipBlank(text, value.end)
    if (text[at] === ',') at = skipBlank(text, at + 1)
  }
  return elements
}

function valueAt(text: string, from: number): TextSpan {
  const start = skipBlank(text, from)
  const first = text[start]
  if (first === '"') return { start, end: stringEnd(text, start) }
  if (first === '{' || first === '[') return { start, end: nestEnd(text, start) }
  let end = start
  while (end < text.length && !isEnd(text.charCodeAt(end))) end++
  return { start, end }
}

function nestEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; ; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at) - 1
        break
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) throw new RefusedJson('it is nested too deeply')
        break
      case 0x5d:
      case 0x7d:
        if (--depth === 0) return at + 1
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The end of the string that begins here. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at + 1
  }
}

export function skipBlank(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isEnd(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d || isSpace(code)
}
