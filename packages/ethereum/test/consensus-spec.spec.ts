import { sign, verify } from '../src/bls.js'
import { parseHex } from '../src/hex.js'
import { InvalidEthereumData } from '../src/malformed.js'
import { depositDataRoot, depositMessageRoot, forkDataRoot, signingDataRoot, voluntaryExitRoot } from '../src/ssz.js'
import { readVectors } from './vectors.js'

type Texts = Record<string, string>

const bls = readVectors<{
  sign: [secretKey: string, message: string, signature: string | null][]
  verify: [name: string, pubkey: string, message: string, signature: string, isValid: boolean][]
}>('spec-bls')

describe('BLS of the consensus specification', () => {
  it.each(bls.sign)('signs with %.10s… the message %.10s…', (secretKey, message, signature) => {
    const signing = () => sign(parseHex(secretKey), parseHex(message))
    if (signature === null) expect(signing).toThrow(InvalidEthereumData)
    else expect(signing()).toEqual(parseHex(signature))
  })

  it.each(bls.verify)('%s of %.12s…', (_, pubkey, message, signature, isValid) => {
    expect(verify(parseHex(pubkey), parseHex(message), parseHex(signature))).toBe(isValid)
  })
})

const ROOTS: Record<string, (fields: Texts) => Buffer> = {
  DepositMessage: (fields) => depositMessageRoot(depositMessage(fields)),
  DepositData: (fields) => depositDataRoot({ ...depositMessage(fields), signature: parseHex(fields['signature']!) }),
  VoluntaryExit: (fields) => voluntaryExitRoot({ epoch: BigInt(fields['epoch']!), validatorIndex: BigInt(fields['validator_index']!) }),
  ForkData: (fields) =>
    forkDataRoot({
      currentVersion: parseHex(fields['current_version']!),
      genesisValidatorsRoot: parseHex(fields['genesis_validators_root']!),
    }),
  SigningData: (fields) => signingDataRoot({ objectRoot: parseHex(fields['object_root']!), domain: parseHex(fields['domain']!) }),
}

describe('SSZ of the consensus specification', () => {
  it.each(readVectors<[type: string, fields: Texts, root: string][]>('spec-ssz'))('the root of a %s %o', (type, fields, root) => {
    expect(ROOTS[type]!(fields)).toEqual(parseHex(root))
  })
})

it.each([
  ['a field of another length', { pubkey: Buffer.alloc(47), withdrawalCredentials: Buffer.alloc(32), amountGwei: 1n }],
  ['an amount beyond 64 bits', { pubkey: Buffer.alloc(48), withdrawalCredentials: Buffer.alloc(32), amountGwei: 2n ** 64n }],
])('there is no root of %s', (_, message) => {
  expect(() => depositMessageRoot(message)).toThrow(InvalidEthereumData)
})

function depositMessage(fields: Texts) {
  return {
    pubkey: parseHex(fields['pubkey']!),
    withdrawalCredentials: parseHex(fields['withdrawal_credentials']!),
    amountGwei: BigInt(fields['amount']!),
  }
}
