import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { checkConfirmation } from './exit-confirmation.js'
import type { OwnedValidator } from './validator.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const DATE = '2026-11-21T11:55:00Z'
const KEY = Buffer.alloc(32, 7)
const PUBKEY = Buffer.alloc(48, 0xab)
const TEXT = `dev:${PUBKEY.toString('hex')}:${DATE}`
const VALIDATOR = {
  chainName: 'dev',
  pubkey: PUBKEY,
  withdrawalCredentials: Buffer.concat([Buffer.of(1), Buffer.alloc(11), addressOf(KEY)]),
} as OwnedValidator

describe(checkConfirmation, () => {
  it('accepts what the withdrawal address has just signed', () => {
    expect(() => checkConfirmation(VALIDATOR, { confirmationDate: DATE, confirmationSignature: signed(TEXT, KEY) }, NOW)).not.toThrow()
  })

  it.each([
    ['nothing', {}],
    ['no signature', { confirmationDate: DATE }],
    ['no date', { confirmationSignature: signed(TEXT, KEY) }],
    ['another key', { confirmationDate: DATE, confirmationSignature: signed(TEXT, Buffer.alloc(32, 8)) }],
    ['another text', { confirmationDate: DATE, confirmationSignature: signed(`${TEXT} `, KEY) }],
    ['another validator', { confirmationDate: DATE, confirmationSignature: signed(TEXT.replace('ab', 'cd'), KEY) }],
    ['no signature of any key', { confirmationDate: DATE, confirmationSignature: `0x${'00'.repeat(65)}` }],
    ['an hour ago', at('2026-11-21T11:00:00Z')],
    ['an hour ahead', at('2026-11-21T13:00:00Z')],
    ['another spelling of the date', { confirmationDate: '2026-11-21T11:55:00.000Z', confirmationSignature: signed(TEXT, KEY) }],
  ])('refuses %s', (_, confirmation) => {
    expect(() => checkConfirmation(VALIDATOR, confirmation, NOW)).toThrow(
      expect.objectContaining({ code: 'ExitNotConfirmed', status: 403 }),
    )
  })
})

function at(confirmationDate: string) {
  return { confirmationDate, confirmationSignature: signed(TEXT.replace(DATE, confirmationDate), KEY) }
}

/** As a wallet does (ERC-191). */
function signed(text: string, key: Buffer): string {
  const digest = keccak_256(Buffer.from(`\x19Ethereum Signed Message:\n${text.length}${text}`))
  const [recovery = 0, ...rs] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return `0x${Buffer.from([...rs, recovery + 27]).toString('hex')}`
}

function addressOf(key: Buffer): Buffer {
  return Buffer.from(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20))
}
