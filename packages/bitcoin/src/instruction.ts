import { OP_PUSHDATA1, OP_PUSHDATA4 } from './opcode.js'

interface Instruction {
  readonly opcode: number
  /** What a push pushes. */
  readonly push?: Buffer
}

/** The instructions of a script, in order; ends with undefined where a push claims more than there is. */
export function* instructionsOf(script: Buffer): Generator<Instruction | undefined> {
  let offset = 0
  while (offset < script.length) {
    const opcode = script.readUInt8(offset++)
    if (opcode > OP_PUSHDATA4) {
      yield { opcode }
      continue
    }
    const width = opcode < OP_PUSHDATA1 ? 0 : 1 << (opcode - OP_PUSHDATA1)
    const start = offset + width
    const length = start > script.length ? Number.POSITIVE_INFINITY : width === 0 ? opcode : script.readUIntLE(offset, width)
    offset = start + length
    if (offset > script.length) return yield undefined
    yield { opcode, push: script.subarray(start, offset) }
  }
}
