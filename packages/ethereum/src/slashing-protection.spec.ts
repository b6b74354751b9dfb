import fc from 'fast-check'
import { arbitraryBytes, uint64 } from '../test/arbitraries.js'
import { expectParsedOrMalformed } from '../test/malformed.js'
import { InvalidEthereumData } from './malformed.js'
import {
  formatInterchange,
  type Interchange,
  maySignAttestation,
  maySignBlock,
  mergeInterchanges,
  minimalInterchange,
  parseInterchange,
  type SigningHistory,
} from './slashing-protection.js'

const ROOT = Buffer.alloc(32, 1)
const KEYS = [Buffer.alloc(48, 1), Buffer.alloc(48, 2), Buffer.alloc(48, 3)]

const SLOTS = Array.from({ length: 15 }, (_, index) => BigInt(index))
const VOTES = SLOTS.flatMap((sourceEpoch) => SLOTS.map((targetEpoch) => ({ sourceEpoch, targetEpoch })))

// Few numbers, so that histories meet.
const number = fc.bigInt({ min: 0n, max: 12n })
const signingRoot = fc.option(fc.constantFrom(Buffer.alloc(32, 1), Buffer.alloc(32, 2)), { nil: undefined })
const block = fc.record({ slot: number, signingRoot }, { requiredKeys: ['slot'] })
const attestation = fc.record({ sourceEpoch: number, targetEpoch: number, signingRoot }, { requiredKeys: ['sourceEpoch', 'targetEpoch'] })
const history: fc.Arbitrary<SigningHistory> = fc.record({
  pubkey: fc.constantFrom(...KEYS),
  blocks: fc.array(block, { maxLength: 5 }),
  attestations: fc.array(attestation, { maxLength: 5 }),
})
const interchange: fc.Arbitrary<Interchange> = fc
  .array(history, { maxLength: 4 })
  .map((histories) => parseInterchange(formatInterchange({ genesisValidatorsRoot: ROOT, histories }), ROOT))

describe(parseInterchange, () => {
  it('reads what was written, as an object and as text', () => {
    fc.assert(
      fc.property(interchange, (interchange) => {
        expect(parseInterchange(formatInterchange(interchange), ROOT)).toEqual(interchange)
        expect(parseInterchange(JSON.stringify(formatInterchange(interchange)), ROOT)).toEqual(interchange)
      }),
    )
  })

  it('gives one history for each key, though the file has several', () => {
    const [pubkey] = KEYS as [Buffer]
    const histories = [1n, 2n, 1n].map((slot) => ({ pubkey, blocks: [{ slot }], attestations: [] }))
    const parsed = parseInterchange(formatInterchange({ genesisValidatorsRoot: ROOT, histories }), ROOT)
    expect(parsed.histories).toEqual([{ pubkey, blocks: [{ slot: 1n }, { slot: 2n }], attestations: [] }])
  })

  it('keeps numbers of 64 bits whole', () => {
    fc.assert(
      fc.property(arbitraryBytes(48), uint64, uint64, (pubkey, slot, targetEpoch) => {
        const histories = [{ pubkey, blocks: [{ slot }], attestations: [{ sourceEpoch: 0n, targetEpoch }] }]
        expect(parseInterchange(formatInterchange({ genesisValidatorsRoot: ROOT, histories }), ROOT).histories).toEqual(histories)
      }),
    )
  })

  it('refuses the history of another chain', () => {
    const json = formatInterchange({ genesisValidatorsRoot: Buffer.alloc(32, 2), histories: [] })
    expect(() => parseInterchange(json, ROOT)).toThrow(
      'The interchange is of another chain: its genesis validators root is not the one expected.',
    )
  })

  it.each([
    ['another version', { metadata: { interchange_format_version: '4' } }],
    ['a version that is a number', { metadata: { interchange_format_version: 5 } }],
    ['no data', { data: undefined }],
    ['a history without blocks', { data: [{ pubkey: '0x'.padEnd(98, '1'), signed_attestations: [] }] }],
    ['a slot that is a number', { data: [{ pubkey: '0x'.padEnd(98, '1'), signed_blocks: [{ slot: 1 }], signed_attestations: [] }] }],
    [
      'half an attestation',
      { data: [{ pubkey: '0x'.padEnd(98, '1'), signed_blocks: [], signed_attestations: [{ source_epoch: null, target_epoch: '1' }] }] },
    ],
  ])('refuses %s', (_, change) => {
    const good = { metadata: { interchange_format_version: '5', genesis_validators_root: `0x${'01'.repeat(32)}` }, data: [] }
    expect(parseInterchange(good, ROOT).histories).toEqual([])
    const metadata = { ...good.metadata, ...('metadata' in change ? change.metadata : {}) }
    expect(() => parseInterchange({ ...good, ...change, metadata }, ROOT)).toThrow(InvalidEthereumData)
  })

  it('finds anything else malformed', () => {
    fc.assert(fc.property(fc.anything(), (noise) => expectParsedOrMalformed(() => parseInterchange(noise, ROOT))))
  })
})

describe(mergeInterchanges, () => {
  it('never lets sign what one of them forbids, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(interchange, { minLength: 1, maxLength: 4 }), (all) => {
        const merged = merge(all)
        for (const form of [merged, merge([...all].reverse()), merge([...all, ...all]), minimalInterchange(merged)])
          for (const one of all) expectAtLeastAsStrict(form, one)
      }),
      { numRuns: 200 },
    )
  })

  it('forgets nothing and invents nothing', () => {
    fc.assert(
      fc.property(interchange, interchange, (one, other) => {
        expect(signedIn(merge([one, other]))).toEqual(new Set([...signedIn(one), ...signedIn(other)]))
      }),
    )
  })

  it('refuses histories of two chains', () => {
    const other = { genesisValidatorsRoot: Buffer.alloc(32, 2), histories: [] }
    expect(() => mergeInterchanges({ genesisValidatorsRoot: ROOT, histories: [] }, other)).toThrow(
      new InvalidEthereumData('The interchanges are of different chains.'),
    )
  })
})

describe(minimalInterchange, () => {
  it('has at most one block and one attestation of each key, as strict as all of them', () => {
    fc.assert(
      fc.property(interchange, (interchange) => {
        const minimal = minimalInterchange(interchange)
        expectAtLeastAsStrict(minimal, interchange)
        expectAtLeastAsStrict(interchange, minimal)
        for (const { blocks, attestations } of minimal.histories) expect(blocks.length <= 1 && attestations.length <= 1).toBe(true)
        expect(minimalInterchange(minimal)).toEqual(minimal)
      }),
      { numRuns: 200 },
    )
  })
})

describe(maySignAttestation, () => {
  it('refuses a source after its target, even of a key that signed nothing', () => {
    expect(maySignAttestation({ attestations: [] }, { sourceEpoch: 2n, targetEpoch: 1n })).toBe(false)
    expect(maySignAttestation({ attestations: [] }, { sourceEpoch: 0n, targetEpoch: 0n })).toBe(true)
  })

  it('refuses double votes and votes that surround or are surrounded', () => {
    fc.assert(
      fc.property(attestation, attestation, (signed, next) => {
        if (!maySignAttestation({ attestations: [signed] }, next)) return
        expect(next.targetEpoch).not.toBe(signed.targetEpoch)
        expect(next.sourceEpoch < signed.sourceEpoch && signed.targetEpoch < next.targetEpoch).toBe(false)
        expect(signed.sourceEpoch < next.sourceEpoch && next.targetEpoch < signed.targetEpoch).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

function merge([first, ...others]: readonly Interchange[]): Interchange {
  return mergeInterchanges(first!, ...others)
}

/** Every block and attestation of the range is tried with each key. */
function expectAtLeastAsStrict(strict: Interchange, loose: Interchange): void {
  for (const pubkey of KEYS) {
    const [one, other] = [historyOf(strict, pubkey), historyOf(loose, pubkey)]
    expect(SLOTS.filter((slot) => maySignBlock(one, slot) && !maySignBlock(other, slot))).toEqual([])
    expect(VOTES.filter((vote) => maySignAttestation(one, vote) && !maySignAttestation(other, vote))).toEqual([])
  }
}

function historyOf({ histories }: Interchange, pubkey: Buffer): SigningHistory {
  return histories.find((history) => history.pubkey.equals(pubkey)) ?? { pubkey, blocks: [], attestations: [] }
}

function signedIn({ histories }: Interchange): Set<string> {
  return new Set(
    histories.flatMap(({ pubkey, blocks, attestations }) =>
      [...blocks, ...attestations].map((signed) => `${pubkey.toString('hex')} ${Object.entries(signed).join()}`),
    ),
  )
}
