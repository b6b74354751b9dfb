import { parseHex } from '../src/hex.js'
import {
  type Interchange,
  maySignAttestation,
  maySignBlock,
  mergeInterchanges,
  minimalInterchange,
  parseInterchange,
} from '../src/slashing-protection.js'
import { readVectors } from './vectors.js'

interface Case {
  name: string
  genesis_validators_root: string
  steps: { should_succeed: boolean; interchange: unknown; blocks: Attempt[]; attestations: Attempt[] }[]
}

type Attempt = Record<string, string> & { should_succeed: boolean }

// A signer that keeps all it signed and one that keeps the highest only must answer alike.
const FORMS: [string, (interchange: Interchange) => Interchange][] = [
  ['everything', (interchange) => interchange],
  ['the minimal form', minimalInterchange],
]

describe.each(FORMS)('a signer of EIP-3076 that keeps %s', (_, keep) => {
  it.each(readVectors<Case[]>('interchange'))('$name', ({ genesis_validators_root, steps }) => {
    const genesisValidatorsRoot = parseHex(genesis_validators_root)
    let known: Interchange = { genesisValidatorsRoot, histories: [] }
    for (const { should_succeed, interchange, blocks, attestations } of steps) {
      const parse = () => parseInterchange(interchange, genesisValidatorsRoot)
      if (!should_succeed) {
        expect(parse).toThrow('The interchange is of another chain')
        continue
      }
      known = keep(mergeInterchanges(known, parse()))
      for (const block of blocks) known = attempt(known, block, 'block')
      for (const attestation of attestations) known = attempt(known, attestation, 'attestation')
      known = keep(known)
    }
  })
})

/** Tries to sign, and remembers what was signed. */
function attempt(known: Interchange, { should_succeed, ...fields }: Attempt, kind: 'block' | 'attestation'): Interchange {
  const pubkey = parseHex(fields['pubkey']!)
  const history = known.histories.find((each) => each.pubkey.equals(pubkey)) ?? { pubkey, blocks: [], attestations: [] }
  const block = { slot: BigInt(fields['slot'] ?? 0) }
  const attestation = { sourceEpoch: BigInt(fields['source_epoch'] ?? 0), targetEpoch: BigInt(fields['target_epoch'] ?? 0) }
  const may = kind === 'block' ? maySignBlock(history, block.slot) : maySignAttestation(history, attestation)
  expect({ ...fields, may }).toEqual({ ...fields, may: should_succeed })
  if (!may) return known
  const signed = kind === 'block' ? { blocks: [block], attestations: [] } : { blocks: [], attestations: [attestation] }
  return mergeInterchanges(known, { ...known, histories: [{ pubkey, ...signed }] })
}
