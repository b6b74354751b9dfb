import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Wallet } from 'ethers'
import fc from 'fast-check'
import { arbitraryBytes, flipped } from '../test/arbitraries.js'
import { formatAddress } from './address.js'
import { type Confirmation, confirmationSigner, messageSigner } from './confirmation.js'
import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'

const OWNER = new Wallet(`0x${'07'.repeat(32)}`)
const CONFIRMATION: Confirmation = { chain: 'hoodi', pubkey: Buffer.alloc(48, 0xab), confirmationDate: '2026-01-01T00:00:00.000Z' }
const TEXT = `hoodi:${'ab'.repeat(48)}:2026-01-01T00:00:00.000Z`

describe(confirmationSigner, () => {
  it('is who signed chain, key and date in a wallet', async () => {
    const signature = parseHex(await OWNER.signMessage(TEXT))
    expect(formatAddress(confirmationSigner(CONFIRMATION, signature))).toBe(OWNER.address)
  })

  it.each<[string, Partial<Confirmation>]>([
    ['chain', { chain: 'mainnet' }],
    ['key', { pubkey: Buffer.alloc(48, 0xaa) }],
    ['date', { confirmationDate: '2026-01-01T00:00:00.001Z' }],
  ])('is someone else for another %s', async (_, change) => {
    const signature = parseHex(await OWNER.signMessage(TEXT))
    expect(formatAddress(confirmationSigner({ ...CONFIRMATION, ...change }, signature))).not.toBe(OWNER.address)
  })
})

describe(messageSigner, () => {
  it('is the address of whatever wallet signed whatever text', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryBytes(32), fc.string({ unit: 'grapheme' }), async (key, text) => {
        fc.pre(secp256k1.utils.isValidSecretKey(key))
        const wallet = new Wallet(`0x${key.toString('hex')}`)
        const signature = parseHex(await wallet.signMessage(text))
        expect(formatAddress(messageSigner(text, signature))).toBe(wallet.address)
        signature[64] = signature[64]! - 27
        expect(formatAddress(messageSigner(text, signature))).toBe(wallet.address)
      }),
      { numRuns: 30 },
    )
  })

  it('is someone else or nobody where a bit of the signature changes', async () => {
    const signature = parseHex(await OWNER.signMessage(TEXT))
    for (let at = 0; at < 65 * 8; at += 3) expect(signerOrNobody(flipped(signature, at))).not.toBe(OWNER.address)
  })

  it('is nobody for the twin of a signature', async () => {
    const signature = parseHex(await OWNER.signMessage(TEXT))
    const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${signature.toString('hex', 32, 64)}`)
    const twin = Buffer.concat([signature.subarray(0, 32), parseHex(s.toString(16).padStart(64, '0')), Buffer.of(55 - signature[64]!)])
    expect(() => messageSigner(TEXT, twin)).toThrow(new InvalidEthereumData('The signature has the higher value of s (EIP-2).'))
  })

  it('is someone else or nobody for noise', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBytes(0, 80), arbitraryBytes(65)), (noise) => expect(signerOrNobody(noise)).not.toBe(OWNER.address)),
      { numRuns: 200 },
    )
  })

  function signerOrNobody(signature: Buffer): string {
    try {
      return formatAddress(messageSigner(TEXT, signature))
    } catch (error) {
      if (!(error instanceof InvalidEthereumData)) throw error
      return 'nobody'
    }
  }
})
