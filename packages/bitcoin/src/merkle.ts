import { sha256d } from './hash.js'
import { MalformedData } from './malformed.js'

/** The root over txids in display order. */
export function merkleRootOf(txids: readonly Buffer[]): Buffer {
  let level: Buffer[] = txids.map((txid) => Buffer.from(txid).reverse())
  while (level.length > 1) level = parentsOf(level)
  return (level[0] ?? Buffer.alloc(32)).reverse()
}

function parentsOf(level: readonly Buffer[]): Buffer[] {
  const parents: Buffer[] = []
  const pair = Buffer.alloc(64)
  for (let index = 0; ; index += 2) {
    const left = level[index]
    if (!left) return parents
    const right = level[index + 1]
    // CVE-2012-2459: an odd level repeats its last hash, so a block that repeats it itself would have the same root.
    if (right?.equals(left)) throw new MalformedData('The block repeats transactions.')
    pair.set(left)
    pair.set(right ?? left, 32)
    parents.push(sha256d(pair))
  }
}
