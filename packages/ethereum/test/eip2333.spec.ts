import { deriveSecretKey } from '../src/bls.js'
import { bytes, vectors } from './vectors.js'

describe('EIP-2333', () => {
  it.each(vectors<[seed: string, master: string, index: number, child: string][]>('eip2333'))('%s', (seed, master, index, child) => {
    expect(numberOf(deriveSecretKey(bytes(seed), 'm'))).toBe(master)
    expect(numberOf(deriveSecretKey(bytes(seed), `m/${index}`))).toBe(child)
  })
})

function numberOf(key: Buffer): string {
  return String(BigInt(`0x${key.toString('hex')}`))
}
