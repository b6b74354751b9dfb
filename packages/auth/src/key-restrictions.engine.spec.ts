import type { Caller, KeyLimits } from '@trestle/contracts/caller'
import { KeyRestrictions } from './key-restrictions.engine.js'

const NOW = Date.parse('2026-11-21T12:00:00.250Z')
const HERE = '192.0.2.1'

describe(KeyRestrictions, () => {
  it('admits so many requests a second, and more in the next one', () => {
    const restrictions = new KeyRestrictions()
    const at = (now: number) => restrictions.admit(caller({ perSecond: 2 }), HERE, now)
    at(NOW)
    at(NOW + 700)
    expect(() => at(NOW + 749)).toThrow(
      expect.objectContaining({
        code: 'TooManyRequests',
        status: 429,
        headers: { 'retry-after': '1' },
        detail: expect.stringContaining('2 requests a second'),
      }),
    )
    at(NOW + 750)
  })

  it('admits so many requests a day by UTC, whatever they are a second', () => {
    const restrictions = new KeyRestrictions()
    const at = (now: number) => restrictions.admit(caller({ perDay: 2, perSecond: 9 }), HERE, now)
    at(NOW)
    at(NOW)
    expect(() => at(Date.parse('2026-11-21T23:59:59.999Z'))).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }))
    expect(() => at(NOW)).toThrow(expect.objectContaining({ headers: { 'retry-after': String(12 * 3600) } }))
    at(Date.parse('2026-11-22T00:00:00Z'))
  })

  it('counts each key by itself, and no caller without limits', () => {
    const restrictions = new KeyRestrictions()
    for (const clientId of ['client-1', 'client-2']) restrictions.admit({ ...caller({ perDay: 1 }), clientId }, HERE, NOW)
    for (let i = 0; i < 10; i++) restrictions.admit(caller(undefined), HERE, NOW)
    expect(restrictions.size).toBe(2)
  })

  it.each([
    ['192.0.2.1', true],
    ['198.51.100.255', true],
    ['198.51.101.0', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['unknown', false],
    ['', false],
  ])('admits from the allowed addresses only: %s', (address, isAdmitted) => {
    const restrictions = new KeyRestrictions()
    const admit = () =>
      restrictions.admit(caller({ allowedIps: ['192.0.2.1', '198.51.100.0/24', '2001:db8::/32'], perDay: 1 }), address, NOW)
    if (isAdmitted) expect(admit).not.toThrow()
    else expect(admit).toThrow(expect.objectContaining({ code: 'AddressNotAllowed', status: 403 }))
    // A refusal spends nothing.
    expect(restrictions.size).toBe(isAdmitted ? 1 : 0)
  })

  it('forgets seconds and days that are over', () => {
    const restrictions = new KeyRestrictions()
    for (let i = 0; i < 5000; i++) restrictions.admit({ ...caller({ perSecond: 1 }), clientId: `client-${i}` }, HERE, NOW + 1000 * i)
    expect(restrictions.size).toBeLessThan(1100)
  })
})

function caller(limits: KeyLimits | undefined): Caller {
  return {
    kind: 'client',
    clientId: 'client-1',
    userId: 'user-1',
    organizationId: 'org-1',
    permissions: new Set(),
    areas: [],
    expiresAt: 0,
    limits,
  }
}
