import { deriveSecretKey } from '../src/bls.js'
import { parseHex } from '../src/hex.js'
import { readVectors } from './vectors.js'

describe('EIP-2333', () => {
  it.each(readVectors<[seed: string, master: string, index: number, child: string][]>('eip2333'))('%s', (seed, master, index, child) => {
    expect(numberOf(deriveSecretKey(parseHex(seed), 'm'))).toBe(master)
    expect(numberOf(deriveSecretKey(parseHex(seed), `m/${index}`))).toBe(child)
  })
})

function numberOf(key: Buffer): string {
  return String(BigInt(`0x${key.toString('hex')}`))
}
