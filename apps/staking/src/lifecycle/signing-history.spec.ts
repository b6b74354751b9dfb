import { maySignAttestation, maySignBlock, parseInterchange } from '@trestle/ethereum/slashing-protection'
import fc from 'fast-check'
import { slashingProtectionOf } from './signing-history.js'

const ROOT = Buffer.alloc(32, 1)
const PUBKEY = Buffer.alloc(48, 2)
const OTHER = Buffer.alloc(48, 3)

describe(slashingProtectionOf, () => {
  it('is empty for a key that never signed', () => {
    expect(historyOf(slashingProtectionOf(PUBKEY, [], ROOT))).toBeUndefined()
  })

  it('contains what signers returned for this key, and for no other', () => {
    const given = [interchange(PUBKEY, 5, 1), interchange(PUBKEY, 9, 2), interchange(OTHER, 99, 9)]
    const history = historyOf(slashingProtectionOf(PUBKEY, given, ROOT))
    expect(history?.blocks.map(({ slot }) => slot)).toEqual([5n, 9n])
    expect(slashingProtectionOf(PUBKEY, given, ROOT)).not.toContain(OTHER.toString('hex'))
  })

  it('refuses the history of another chain', () => {
    expect(() => slashingProtectionOf(PUBKEY, [interchange(PUBKEY, 5, 1)], Buffer.alloc(32, 9))).toThrow('of another chain')
  })

  it('forbids everything up to two epochs after now, whatever the source of an earlier vote was, and nothing of honest votes later on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 1_000_000 }), fc.nat(100), fc.nat(100), (epoch, earlier, distance) => {
        const history = historyOf(slashingProtectionOf(PUBKEY, [], ROOT, { epoch, slotsPerEpoch: 32 }))!
        const target = BigInt(Math.max(0, epoch + 2 - earlier))
        expect(maySignAttestation(history, { sourceEpoch: 0n, targetEpoch: target })).toBe(false)
        expect(maySignBlock(history, target * 32n + 31n)).toBe(false)
        // A vote that was made up to then, with the newest source that it can have had, is not surrounded by any that may follow.
        const source = BigInt(Math.max(0, epoch + 1 - distance - 1))
        expect(maySignAttestation(history, { sourceEpoch: source, targetEpoch: BigInt(epoch + 3) })).toBe(false)
        expect(maySignAttestation(history, { sourceEpoch: BigInt(epoch + 1), targetEpoch: BigInt(epoch + 3) })).toBe(true)
        expect(maySignBlock(history, BigInt(epoch + 3) * 32n)).toBe(true)
      }),
    )
  })
})

function historyOf(text: string) {
  return parseInterchange(text, ROOT).histories.find(({ pubkey }) => pubkey.equals(PUBKEY))
}

function interchange(pubkey: Buffer, slot: number, epoch: number): string {
  return JSON.stringify({
    metadata: { interchange_format_version: '5', genesis_validators_root: `0x${ROOT.toString('hex')}` },
    data: [
      {
        pubkey: `0x${pubkey.toString('hex')}`,
        signed_blocks: [{ slot: String(slot) }],
        signed_attestations: [{ source_epoch: String(epoch), target_epoch: String(epoch) }],
      },
    ],
  })
}
