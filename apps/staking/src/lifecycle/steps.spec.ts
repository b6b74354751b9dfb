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
  it('imports the key of a new validator, even while the chain cannot be read', () => {
    expect(signerStep(record(), nowhere, undefined, undefined)).toBe('import')
    expect(signerStep(record(), nowhere, observation(), terms)).toBe('import')
  })

  it('imports a key that a signer lost only when the chain shows up to when it may have signed', () => {
    const lost = record({ signer: { importedAt: EARLIER } })
    expect(signerStep(lost, nowhere, undefined, terms)).toBe('wait')
    expect(signerStep(lost, nowhere, observation(), terms)).toBe('import')
  })

  it('releases a key that its owner deleted before any deposit', () => {
    const forgotten = record({ removedAt: EARLIER, signer: { importedAt: EARLIER } })
    expect(signerStep(forgotten, held, observation(), terms)).toBe('release')
    expect(signerStep(forgotten, held, undefined, terms)).toBe('keep')
    expect(signerStep(forgotten, nowhere, undefined, terms)).toBe('wait')
  })

  it('keeps a key that its owner deleted after the chain was read: a deposit may have been made in between', () => {
    const forgotten = record({ removedAt: NOW, signer: { importedAt: EARLIER } })
    expect(signerStep(forgotten, held, observation({ askedAt: EARLIER }), terms)).toBe('keep')
    expect(signerStep(forgotten, held, observation({ askedAt: NOW }), terms)).toBe('release')
  })

  it('keeps a key for as long as its owner can restore the validator, and five minutes for slow clocks', () => {
    const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
    const restorable = (restorableUntil: Date) => record({ removedAt: EARLIER, restorableUntil, signer: { importedAt: EARLIER } })
    expect(signerStep(restorable(inMinutes(1)), held, observation(), terms)).toBe('keep')
    expect(signerStep(restorable(inMinutes(-4)), held, observation(), terms)).toBe('keep')
    expect(signerStep(restorable(inMinutes(-5)), held, observation(), terms)).toBe('release')
  })

  it('keeps a key that its owner deleted while a deposit is pending', () => {
    const deposited = observation({ deposits: [{ withdrawalCredentials: OWN, at: NOW }] })
    expect(signerStep(record({ removedAt: EARLIER, signer: { importedAt: EARLIER } }), held, deposited, terms)).toBe('keep')
  })

  it('releases a key again that a signer lists after its release', () => {
    expect(signerStep(record({ signer: { releasedAt: EARLIER } }), held, undefined, undefined)).toBe('release')
  })

  it('never imports a key that was released, is compromised, or is held by another signer', () => {
    fc.assert(
      fc.property(records, holders, fc.option(observations, { nil: undefined }), (record, holders, observation) => {
        const step = signerStep(record, holders, observation, terms)
        if (record.signer.releasedAt || record.chain.compromisedAt || holders.heldElsewhere || holders.held) expect(step).not.toBe('import')
      }),
    )
  })

  it('never releases a key that may still have duties, or whose state is unknown', () => {
    fc.assert(
      fc.property(records, holders, fc.option(observations, { nil: undefined }), (record, holders, observation) => {
        if (record.signer.releasedAt || signerStep(record, holders, observation, terms) !== 'release') return
        expect(observation).toBeDefined()
        const { validator } = observation!
        if (validator) expect(observation!.epoch).toBeGreaterThanOrEqual(validator.withdrawableEpoch! + 256)
        else
          expect([record.removedAt !== undefined, record.chain.depositedAt, record.chain.index, observation!.deposits]).toEqual([
            true,
            undefined,
            undefined,
            [],
          ])
      }),
    )
  })

  it('never imports a key after its release, whatever is observed', () => {
    fc.assert(
      fc.property(records, fc.array(fc.tuple(holders, fc.option(observations, { nil: undefined })), { maxLength: 30 }), (start, passes) => {
        let current = start
        let isReleased = current.signer.releasedAt !== undefined
        for (const [holders, observation] of passes) {
          if (observation) current = { ...current, chain: observe(current, observation, terms) ?? current.chain }
          const step = signerStep(current, holders, observation, terms)
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

  it('sends the exit as soon as the chain accepts it, and not earlier', () => {
    expect(exitStep(requested, observation({ validator: validator({ activationEpoch: 100 }), epoch: 356 }), terms)).toBe('send')
    expect(exitStep(requested, observation({ validator: validator({ activationEpoch: 100 }), epoch: 355 }), terms)).toBe('wait')
    expect(
      exitStep(requested, observation({ validator: validator({ status: 'pending_queued', activationEpoch: undefined }) }), terms),
    ).toBe('wait')
    expect(exitStep(requested, observation(), terms)).toBe('none')
  })

  it('sends no exit that was not requested, and none for a validator that is exiting or not ours', () => {
    fc.assert(
      fc.property(records, observations, (record, observation) => {
        if (exitStep(record, observation, terms) !== 'send') return
        expect(record.exitRequestedAt).toBeDefined()
        expect(record.chain.compromisedAt).toBeUndefined()
        expect(observation.validator).toMatchObject({ status: 'active_ongoing', exitEpoch: undefined })
        expect(observation.validator!.withdrawalCredentials.equals(FOREIGN)).toBe(false)
        expect(observation.epoch).toBeGreaterThanOrEqual(observation.validator!.activationEpoch! + 256)
      }),
    )
  })
})

describe(observe, () => {
  it('takes the time of our deposit from its slot', () => {
    expect(observe(record(), observation({ deposits: [{ withdrawalCredentials: OWN, at: EARLIER }] }), terms)).toMatchObject({
      depositedAt: EARLIER,
    })
  })

  it('considers only the first deposit: later ones change no credentials', () => {
    const first = { withdrawalCredentials: FOREIGN, at: NOW }
    const own = { withdrawalCredentials: OWN, at: NOW }
    expect(observe(record(), observation({ deposits: [first, own] }), terms)?.compromisedAt).toEqual(NOW)
    expect(observe(record(), observation({ deposits: [own, first] }), terms)?.compromisedAt).toBeUndefined()
    expect(observe(record({ chain: { depositedAt: EARLIER } }), observation({ deposits: [first] }), terms)?.compromisedAt).toBeUndefined()
  })

  it('considers a key compromised if its validator has other credentials, unless the owner switched to compounding', () => {
    expect(observe(record(), observation({ validator: validator({ withdrawalCredentials: FOREIGN }) }), terms)?.compromisedAt).toEqual(NOW)
    expect(
      observe(record(), observation({ validator: validator({ withdrawalCredentials: OWN_COMPOUNDING }) }), terms)?.compromisedAt,
    ).toBeUndefined()
  })

  it('ignores a report that a validator is no longer on the chain', () => {
    expect(observe(record({ chain: { index: 5 } }), observation(), terms)).toBeUndefined()
  })

  it('derives past times from epochs, and gives no future ones', () => {
    const exiting = validator({ status: 'active_exiting', activationEpoch: 10, exitEpoch: 1000 })
    expect(observe(record(), observation({ validator: exiting, epoch: 999 }), terms)).toMatchObject({
      activatedAt: terms.epochTime(10),
      exitingAt: NOW,
      exitedAt: undefined,
    })
    // The head that was read before may be older than the validator.
    for (const epoch of [999, 1000]) {
      const exited = observation({ validator: { ...exiting, status: 'exited_unslashed' }, epoch })
      expect(observe(record({ chain: { exitingAt: EARLIER } }), exited, terms)).toMatchObject({
        exitingAt: EARLIER,
        exitedAt: terms.epochTime(1000),
      })
    }
  })

  it('keeps deposit and compromise once they are known', () => {
    fc.assert(
      fc.property(records, observations, (record, observation) => {
        const facts = observe(record, observation, terms)
        if (facts && record.chain.depositedAt) expect(facts.depositedAt).toEqual(record.chain.depositedAt)
        if (facts && record.chain.compromisedAt) expect(facts.compromisedAt).toEqual(record.chain.compromisedAt)
      }),
    )
  })
})

describe(isFreeOfDuties, () => {
  it('waits for the sync committees that a validator may be in after it is withdrawable', () => {
    const done = validator({ status: 'withdrawal_done', exitEpoch: 500, withdrawableEpoch: 756 })
    expect(isFreeOfDuties(record(), observation({ validator: done, epoch: 1011 }), terms)).toBe(false)
    expect(isFreeOfDuties(record(), observation({ validator: done, epoch: 1012 }), terms)).toBe(true)
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

const observations: fc.Arbitrary<ChainObservation> = fc.record({
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
  .map(({ importedAt, releasedAt, depositedAt, compromisedAt, index, ...desired }) =>
    record({ ...desired, signer: { importedAt, releasedAt }, chain: { depositedAt, compromisedAt, index } }),
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

function observation(overrides: Partial<ChainObservation> = {}): ChainObservation {
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
