// What the demo's token needs of the EVM (Yellow Paper, appendix H).
const OPCODES: Readonly<Record<string, number>> = {
  ADD: 0x01,
  SUB: 0x03,
  LT: 0x10,
  EQ: 0x14,
  SHR: 0x1c,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  LOG3: 0xa3,
  RETURN: 0xf3,
  REVERT: 0xfd,
}
const PUSH1 = 0x60

/**
 * The bytes of a program: names of instructions; hexadecimal numbers, that are pushed; `name:` where one may jump to, and `@name` to push
 * that place. `;` begins a comment.
 */
export function assemble(source: string): Buffer {
  const words = source.replace(/;.*$/gm, '').trim().split(/\s+/)
  const places = new Map<string, number>()
  let length = 0
  for (const word of words) {
    if (word.endsWith(':')) places.set(word.slice(0, -1), length)
    length += lengthOf(word)
  }
  return Buffer.concat(words.map((word) => bytesOf(word, places)))
}

function lengthOf(word: string): number {
  if (word.startsWith('0x')) return word.length / 2
  return word.startsWith('@') ? 3 : 1
}

function bytesOf(word: string, places: ReadonlyMap<string, number>): Buffer {
  if (word.startsWith('0x')) return push(Buffer.from(word.slice(2), 'hex'))
  if (word.startsWith('@')) return push(twoBytes(places.get(word.slice(1))))
  const opcode = word.endsWith(':') ? OPCODES.JUMPDEST : OPCODES[word]
  if (opcode === undefined) throw new Error(`There is no instruction ${word}.`)
  return Buffer.from([opcode])
}

function push(value: Buffer): Buffer {
  return Buffer.from([PUSH1 + value.length - 1, ...value])
}

function twoBytes(place?: number): Buffer {
  if (place === undefined) throw new Error('There is no such place.')
  return Buffer.from([place >> 8, place & 0xff])
}
