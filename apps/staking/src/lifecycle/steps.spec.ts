import { BEACON_STATUSES } from '@trestle/ethereum/beacon-status'
import fc from 'fast-check'
import {
  BINDING,
  EARLIER,
  FOREIGN,
  held,
  NOW,
  nowhere,
  OWN,
  OWN_COMPOUNDING,
  observation,
  PUBKEY,
  record,
  terms,
  validator,
} from '../../test/observed-validators.js'
import type { BeaconValidator } from '../chains/beacon-responses.js'
import { type ChainObservation, exitStep, isFreeOfDuties, observe, signerStep } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

describe(signerStep, () => {
  it('imports the key of a new validator once the chain can be read: a database that was restored may not know that it has duties', () => {
    expect(signerStep(record(), nowhere, undefined, undefined)).toBe('wait')
    expect(signerStep(record(), nowhere, observation(), terms)).toBe('import')
    expect(signerStep(record(), nowhere, observation({ validator: validator() }), terms)).toBe('wait')
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

  it('releases a key again that a signer lists after its release, if the chain shows no deposit', () => {
    expect(signerStep(record({ signer: { releasedAt: EARLIER } }), held, observation(), terms)).toBe('release')
    expect(signerStep(record({ signer: { releasedAt: EARLIER } }), held, undefined, undefined)).toBe('wait')
  })

  it('never imports a key that was released and not paid for, is compromised, or is held by another signer', () => {
    fc.assert(
      fc.property(records, holders, fc.option(observations, { nil: undefined }), (record, holders, observation) => {
        const step = signerStep(record, holders, observation, terms)
        const isReleased = record.signer.releasedAt && !isPaid(record, observation)
        if (isReleased || record.chain.compromisedAt || holders.heldElsewhere || holders.held) expect(step).not.toBe('import')
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

  it('never imports a key after its release, whatever is observed, unless it is paid for', () => {
    fc.assert(
      fc.property(records, fc.array(fc.tuple(holders, fc.option(observations, { nil: undefined })), { maxLength: 30 }), (start, passes) => {
        let current = start
        let isReleased = current.signer.releasedAt !== undefined
        for (const [holders, observation] of passes) {
          if (observation) current = { ...current, chain: observe(current, observation, terms) ?? current.chain }
          const step = signerStep(current, holders, observation, terms)
          if (isReleased && !isPaid(current, observation)) expect(step).not.toBe('import')
          if (step === 'import') {
            current = { ...current, signer: { importedAt: NOW } }
            isReleased = false
          }
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

const holders = fc.record({ held: fc.boolean(), heldElsewhere: fc.boolean(), binding: fc.constantFrom(BINDING, undefined) })

function isPaid({ chain }: ValidatorRecord, observation: ChainObservation | undefined): boolean {
  return Boolean(chain.depositedAt ?? observation?.validator) || chain.index !== undefined || (observation?.deposits.length ?? 0) > 0
}

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
