import {
  BINDING,
  EARLIER,
  FOREIGN,
  held,
  NOW,
  nowhere,
  OWN,
  observation,
  record,
  terms,
  validator,
} from '../../test/observed-validators.js'
import { importObstacle, signerStep } from './steps.js'

describe(importObstacle, () => {
  it('imports, releases and loses nothing where another signer answers than the one of the region', () => {
    const other = { held: false, heldElsewhere: false }
    expect(signerStep(record(), other, observation(), terms)).toBe('wait')
    expect(importObstacle(record(), other, observation(), terms)).toBe('other-signer')
    const deleted = record({ removedAt: EARLIER, signer: { importedAt: EARLIER } })
    expect(signerStep(deleted, { ...other, held: true }, observation(), terms)).toBe('wait')
    expect(signerStep(record(), { ...other, held: true }, observation(), terms)).toBe('keep')
  })

  it('sends a key again that its signer never listed, and to no other signer', () => {
    const sent = record({ signer: { importedAt: EARLIER }, custody: { identity: 'token:a' } })
    expect(signerStep(sent, nowhere, observation(), terms)).toBe('import')
    expect(signerStep(sent, { ...nowhere, binding: { ...BINDING, identity: 'token:b' } }, observation(), terms)).toBe('wait')
  })

  it('imports no key that is older than a gap between passes: the database may be a backup', () => {
    const watchedSince = new Date(EARLIER.getTime() + 1)
    const presence = { ...nowhere, binding: { ...BINDING, watchedSince } }
    for (const old of [record(), record({ signer: { importedAt: EARLIER }, custody: { identity: 'token:a' } })])
      expect(importObstacle(old, presence, observation(), terms)).toBe('not-allowed')
    const released = record({ signer: { importedAt: EARLIER, releasedAt: EARLIER }, chain: { depositedAt: EARLIER } })
    expect(importObstacle(released, presence, observation(), terms)).toBe('not-allowed')
    expect(importObstacle(released, nowhere, observation(), terms)).toBeUndefined()
  })

  it('imports a lost key of an active validator only after three silent epochs and when an administrator allowed it', () => {
    const active = observation({ validator: validator() })
    const lostAt = terms.epochTime(996)
    const lost = (custody: object) => record({ signer: { importedAt: EARLIER }, custody: { listedAt: lostAt, lostAt, ...custody } })
    const silence = { from: 997, to: 999 }
    const recoveryAllowedAt = NOW
    const obstacle = (custody: object, at = active) => importObstacle(lost(custody), nowhere, at, terms)
    expect(obstacle({})).toBe('not-allowed')
    expect(obstacle({ silence })).toBe('not-allowed')
    expect(obstacle({ recoveryAllowedAt })).toBe('not-silent')
    expect(obstacle({ recoveryAllowedAt, silence: { from: 998, to: 999 } })).toBe('not-silent')
    expect(obstacle({ recoveryAllowedAt, silence: { from: 900, to: 997 } })).toBe('not-silent')
    expect(obstacle({ recoveryAllowedAt, silence })).toBeUndefined()
    // Allowed before it was lost, or too long ago.
    expect(obstacle({ recoveryAllowedAt, lostAt: new Date(NOW.getTime() + 1), silence })).toBe('not-allowed')
    expect(obstacle({ recoveryAllowedAt: new Date(NOW.getTime() - 2 * 3_600_000 - 1), silence })).toBe('not-allowed')
    // A node behind the clock makes everybody look silent.
    expect(obstacle({ recoveryAllowedAt, silence: { from: 995, to: 997 } }, { ...active, epoch: 998 })).toBe('not-silent')
    // Nothing can have been signed for one that is not active yet; but another signer may have the key.
    const pending = observation({ validator: validator({ status: 'pending_queued', activationEpoch: undefined }) })
    expect(obstacle({}, pending)).toBe('not-allowed')
    expect(obstacle({ recoveryAllowedAt }, pending)).toBeUndefined()
  })

  it('imports a released key again once it is paid for, and keeps it where it is listed', () => {
    const released = record({ removedAt: EARLIER, signer: { importedAt: EARLIER, releasedAt: EARLIER } })
    const paid = observation({ deposits: [{ withdrawalCredentials: OWN, at: NOW }] })
    expect(signerStep(released, nowhere, paid, terms)).toBe('import')
    expect(signerStep(released, held, paid, terms)).toBe('keep')
    expect(signerStep(released, nowhere, observation({ deposits: [{ withdrawalCredentials: FOREIGN, at: NOW }] }), terms)).toBe('wait')
    // One that is active already may have a signer that this database does not know of.
    expect(signerStep(released, nowhere, observation({ validator: validator() }), terms)).toBe('wait')
  })
})
