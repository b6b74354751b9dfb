import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import type { GeneratedBlock } from './chain-generator.ts'

export interface StoredBlock extends Omit<GeneratedBlock, 'raw'> {
  readonly offset: number
  readonly size: number
}

/** Writes the blocks one after another, and their metadata to a second file. */
export function storeChain(path: string, blocks: Iterable<GeneratedBlock>): StoredBlock[] {
  const file = openSync(path, 'w')
  const stored: StoredBlock[] = []
  let offset = 0
  for (const { raw, ...block } of blocks) {
    writeSync(file, raw)
    stored.push({ ...block, offset, size: raw.length })
    offset += raw.length
  }
  closeSync(file)
  writeFileSync(`${path}.json`, JSON.stringify(stored))
  return stored
}

export class ChainFile {
  readonly blocks: readonly StoredBlock[]
  private readonly file: number

  constructor(path: string) {
    this.blocks = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
    this.file = openSync(path, 'r')
  }

  /** The block, or its first bytes. */
  read({ offset, size }: StoredBlock, length = size): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length)
    readSync(this.file, bytes, 0, length, offset)
    return bytes
  }
}
