import { BEACON_STATUSES } from '@trestle/ethereum/beacon-status'
import fc from 'fast-check'
import type { BeaconValidator } from '../chains/beacon-responses.js'
import { type ChainObservation, type ChainTiming, exitStep, isFreeOfDuties, observe, signerStep } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

const OWN = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xaa)])
const OWN_COMPOUNDING = Buffer.concat([Buffer.of(2), Buffer.alloc(11), Buffer.alloc(20, 0xaa)])
const FOREIGN = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 0xbb)])
const PUBKEY = Buffer.alloc(48, 7)
const NOW = new Date('2026-01-02T00:00:00Z')
const EARLIER = new Date('2026-01-01T00:00:00Z')

const terms: ChainTiming = { shardCommitteePeriod: 256, epochTime: (epoch) => new Date(epoch * 384_000) }

describe(signerStep, () => {
  it('imports the key of a new validator, also while the chain cannot be read', () => {
    expect(signerStep(record(), nowhere, undefined, undefined)).toBe('import')
    expect(signerStep(record(), nowhere, seen(), terms)).toBe('import')
  })

  it('waits with a key that a signer has lost until the chain tells up to when it may have signed', () => {
    const lost = record({ signer: { importedAt: EARLIER } })
    expect(signerStep(lost, nowhere, undefined, terms)).toBe('wait')
    expect(signerStep(lost, nowhere, seen(), terms)).toBe('import')
  })

  it('releases a key that its owner gave up before anything was paid', () => {
    const forgotten = record({ removedAt: EARLIER, signer: { importedAt: EARLIER } })
    expect(signerStep(forgotten, held, seen(), terms)).toBe('release')
    expect(signerStep(forgotten, held, undefined, terms)).toBe('keep')
    expect(signerStep(forgotten, nowhere, undefined, terms)).toBe('wait')
  })

  it('keeps a key that its owner gave up after the chain was asked: it may have been paid for in between', () => {
    const forgotten = record({ removedAt: NOW, signer: { importedAt: EARLIER } })
    expect(signerStep(forgotten, held, seen({ askedAt: EARLIER }), terms)).toBe('keep')
    expect(signerStep(forgotten, held, seen({ askedAt: NOW }), terms)).toBe('release')
  })

  it('goes on with a key that its owner gave up while a deposit waits for it', () => {
    const deposited = seen({ deposits: [{ withdrawalCredentials: OWN, at: NOW }] })
    expect(signerStep(record({ removedAt: EARLIER, signer: { importedAt: EARLIER } }), held, deposited, terms)).toBe('keep')
  })

  it('takes a key away again where a signer has it after it was released', () => {
    expect(signerStep(record({ signer: { releasedAt: EARLIER } }), held, undefined, undefined)).toBe('release')
  })

  it('never imports a key that was released or is bound to others, or that another signer has', () => {
    fc.assert(
      fc.property(records, holders, fc.option(chainSeen, { nil: undefined }), (record, holders, seen) => {
        const step = signerStep(record, holders, seen, terms)
        if (record.signer.releasedAt || record.chain.compromisedAt || holders.heldElsewhere || holders.held) expect(step).not.toBe('import')
      }),
    )
  })

  it('takes no key away that may still have duties, or of which nothing is known', () => {
    fc.assert(
      fc.property(records, holders, fc.option(chainSeen, { nil: undefined }), (record, holders, seen) => {
        if (record.signer.releasedAt || signerStep(record, holders, seen, terms) !== 'release') return
        expect(seen).toBeDefined()
        const { validator } = seen!
        if (validator) expect(seen!.epoch).toBeGreaterThanOrEqual(validator.withdrawableEpoch! + 256)
        else
          expect([record.removedAt !== undefined, record.chain.depositedAt, record.chain.index, seen!.deposits]).toEqual([
            true,
            undefined,
            undefined,
            [],
          ])
      }),
    )
  })

  it('imports a key at most once from the time it is released on, whatever is seen', () => {
    fc.assert(
      fc.property(records, fc.array(fc.tuple(holders, fc.option(chainSeen, { nil: undefined })), { maxLength: 30 }), (start, passes) => {
        let current = start
        let isReleased = current.signer.releasedAt !== undefined
        for (const [holders, seen] of passes) {
          if (seen) current = { ...current, chain: observe(current, seen, terms) ?? current.chain }
          const step = signerStep(current, holders, seen, terms)
          if (isReleased) expect(step).not.toBe('import')
          if (step === 'import') current = { ...current, signer: { ...current.signer, importedAt: NOW } }
          if (step === 'release') current = { ...current, signer: { ...current.signer, releasedAt: NOW } }
          isReleased ||= step === 'release'
        }
      }),
    )
  })
})

describe(exitStep, () => {
  const requested = record({ exitRequestedAt: EARLIER })

  it('sends the exit as soon as the chain takes it, and not before', () => {
    expect(exitStep(requested, seen({ validator: validator({ activationEpoch: 100 }), epoch: 356 }), terms)).toBe('send')
    expect(exitStep(requested, seen({ validator: validator({ activationEpoch: 100 }), epoch: 355 }), terms)).toBe('wait')
    expect(exitStep(requested, seen({ validator: validator({ status: 'pending_queued', activationEpoch: undefined }) }), terms)).toBe(
      'wait',
    )
    expect(exitStep(requested, seen(), terms)).toBe('none')
  })

  it('sends nothing that nobody asked for, and nothing for a validator that exits already or that is not ours', () => {
    fc.assert(
      fc.property(records, chainSeen, (record, seen) => {
        if (exitStep(record, seen, terms) !== 'send') return
        expect(record.exitRequestedAt).toBeDefined()
        expect(record.chain.compromisedAt).toBeUndefined()
        expect(seen.validator).toMatchObject({ status: 'active_ongoing', exitEpoch: undefined })
        expect(seen.validator!.withdrawalCredentials.equals(FOREIGN)).toBe(false)
        expect(seen.epoch).toBeGreaterThanOrEqual(seen.validator!.activationEpoch! + 256)
      }),
    )
  })
})

describe(observe, () => {
  it('takes the time of a deposit of ours from where it was seen', () => {
    expect(observe(record(), seen({ deposits: [{ withdrawalCredentials: OWN, at: EARLIER }] }), terms)).toMatchObject({
      depositedAt: EARLIER,
    })
  })

  it('finds a key spoiled by the first deposit only, for later ones change no credentials', () => {
    const first = { withdrawalCredentials: FOREIGN, at: NOW }
    const own = { withdrawalCredentials: OWN, at: NOW }
    expect(observe(record(), seen({ deposits: [first, own] }), terms)?.compromisedAt).toEqual(NOW)
    expect(observe(record(), seen({ deposits: [own, first] }), terms)?.compromisedAt).toBeUndefined()
    expect(observe(record({ chain: { depositedAt: EARLIER } }), seen({ deposits: [first] }), terms)?.compromisedAt).toBeUndefined()
  })

  it('finds a key spoiled that is a validator of others, and not one whose owner made it compounding', () => {
    expect(observe(record(), seen({ validator: validator({ withdrawalCredentials: FOREIGN }) }), terms)?.compromisedAt).toEqual(NOW)
    expect(
      observe(record(), seen({ validator: validator({ withdrawalCredentials: OWN_COMPOUNDING }) }), terms)?.compromisedAt,
    ).toBeUndefined()
  })

  it('does not believe that a validator has left the chain', () => {
    expect(observe(record({ chain: { index: 5 } }), seen(), terms)).toBeUndefined()
  })

  it('takes times of what has come from its epochs, and tells none of what is to come', () => {
    const exiting = validator({ status: 'active_exiting', activationEpoch: 10, exitEpoch: 1000 })
    expect(observe(record(), seen({ validator: exiting, epoch: 999 }), terms)).toMatchObject({
      activatedAt: terms.epochTime(10),
      exitingAt: NOW,
      exitedAt: undefined,
    })
    // The head that was read before may be older than the validator.
    for (const epoch of [999, 1000]) {
      const exited = seen({ validator: { ...exiting, status: 'exited_unslashed' }, epoch })
      expect(observe(record({ chain: { exitingAt: EARLIER } }), exited, terms)).toMatchObject({
        exitingAt: EARLIER,
        exitedAt: terms.epochTime(1000),
      })
    }
  })

  it('never unsays that a key was paid for or spoiled', () => {
    fc.assert(
      fc.property(records, chainSeen, (record, seen) => {
        const facts = observe(record, seen, terms)
        if (facts && record.chain.depositedAt) expect(facts.depositedAt).toEqual(record.chain.depositedAt)
        if (facts && record.chain.compromisedAt) expect(facts.compromisedAt).toEqual(record.chain.compromisedAt)
      }),
    )
  })
})

describe(isFreeOfDuties, () => {
  it('waits for the sync committees that a validator may still be in after it could be paid out', () => {
    const done = validator({ status: 'withdrawal_done', exitEpoch: 500, withdrawableEpoch: 756 })
    expect(isFreeOfDuties(record(), seen({ validator: done, epoch: 1011 }), terms)).toBe(false)
    expect(isFreeOfDuties(record(), seen({ validator: done, epoch: 1012 }), terms)).toBe(true)
  })
})

const nowhere = { held: false, heldElsewhere: false }
const held = { held: true, heldElsewhere: false }
const holders = fc.record({ held: fc.boolean(), heldElsewhere: fc.boolean() })

const epoch = fc.integer({ min: 0, max: 2000 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const credentials = fc.constantFrom(OWN, OWN_COMPOUNDING, FOREIGN)

const validators: fc.Arbitrary<BeaconValidator> = fc.record({
  index: fc.nat(),
  pubkey: fc.constant(PUBKEY),
  status: fc.constantFrom(...BEACON_STATUSES),
  balanceGwei: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  effectiveBalanceGwei: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  slashed: fc.boolean(),
  activationEpoch: maybe(epoch),
  exitEpoch: maybe(epoch),
  withdrawableEpoch: maybe(epoch),
  withdrawalCredentials: credentials,
})

const chainSeen: fc.Arbitrary<ChainObservation> = fc.record({
  now: fc.constant(NOW),
  askedAt: fc.constant(NOW),
  epoch: fc.integer({ min: 0, max: 3000 }),
  validator: maybe(validators),
  deposits: fc.array(fc.record({ withdrawalCredentials: credentials, at: fc.constant(NOW) }), { maxLength: 3 }),
})

const time = maybe(fc.constant(EARLIER))
const records: fc.Arbitrary<ValidatorRecord> = fc
  .record({
    exitRequestedAt: time,
    removedAt: time,
    importedAt: time,
    releasedAt: time,
    depositedAt: time,
    compromisedAt: time,
    index: maybe(fc.nat()),
  })
  .map(({ importedAt, releasedAt, depositedAt, compromisedAt, index, ...wanted }) =>
    record({ ...wanted, signer: { importedAt, releasedAt }, chain: { depositedAt, compromisedAt, index } }),
  )

function record({
  chain = {},
  ...overrides
}: Partial<Omit<ValidatorRecord, 'chain'>> & { chain?: Partial<ValidatorRecord['chain']> } = {}): ValidatorRecord {
  return {
    serial: 1,
    pubkey: PUBKEY,
    region: 'eu',
    withdrawalCredentials: OWN,
    feeAddress: Buffer.alloc(20, 0xaa),
    signer: {},
    ...overrides,
    chain: { balanceGwei: 0n, effectiveBalanceGwei: 0n, slashed: false, ...chain },
  }
}

function seen(overrides: Partial<ChainObservation> = {}): ChainObservation {
  return { now: NOW, askedAt: NOW, epoch: 1000, deposits: [], ...overrides }
}

function validator(overrides: Partial<BeaconValidator> = {}): BeaconValidator {
  return {
    index: 5,
    pubkey: PUBKEY,
    status: 'active_ongoing',
    balanceGwei: 32_000_000_000n,
    effectiveBalanceGwei: 32_000_000_000n,
    slashed: false,
    activationEpoch: 100,
    withdrawalCredentials: OWN,
    ...overrides,
  }
}
