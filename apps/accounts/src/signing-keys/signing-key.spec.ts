import fc from 'fast-check'
import {
  activeKey,
  dueKeys,
  expiredKeys,
  FAMILY_NAMES,
  KEY_FAMILIES,
  type KeyFamily,
  keyStateOf,
  publishedKeys,
  rotationKeys,
  type SigningKeyRecord,
} from './signing-key.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe(keyStateOf, () => {
  it('keeps a key pending until the moment from which it is active', () => {
    const old = key({ kid: 'old', activeFrom: before(DAY) })
    const fresh = key({ kid: 'fresh', activeFrom: after(1) })
    expect(keyStateOf(fresh, [old, fresh], NOW)).toBe('pending')
    expect(keyStateOf(fresh, [old, fresh], after(1))).toBe('active')
  })

  it('retires a key when its successor becomes active', () => {
    const [old, fresh] = [key({ kid: 'old', activeFrom: before(DAY) }), key({ kid: 'fresh', activeFrom: NOW })]
    expect(keyStateOf(old, [old, fresh], before(1))).toBe('active')
    expect(keyStateOf(old, [old, fresh], NOW)).toBe('retired')
  })

  it.each([
    ['account', 12 * 60 * MINUTE],
    ['client', 60 * MINUTE],
    ['refresh', 365 * DAY],
  ] as const)('publishes a retired %s key for the life of its last token and five minutes', (family, lifetime) => {
    const [old, fresh] = [key({ family, kid: 'old', activeFrom: before(DAY) }), key({ family, kid: 'fresh', activeFrom: NOW })]
    const end = lifetime + 5 * MINUTE
    expect(keyStateOf(old, [old, fresh], after(end - 1))).toBe('retired')
    expect(keyStateOf(old, [old, fresh], after(end))).toBe('expired')
  })

  it('never lets another family retire a key', () => {
    const [account, client] = [key({ family: 'account', activeFrom: before(DAY) }), key({ family: 'client', kid: 'c', activeFrom: NOW })]
    expect(keyStateOf(account, [account, client], NOW)).toBe('active')
  })
})

describe(dueKeys, () => {
  it('plans a first key of each family, active at once', () => {
    expect(dueKeys([], NOW)).toEqual(FAMILY_NAMES.map((family) => ({ family, activeFrom: NOW })))
  })

  it('plans a successor, pending for 15 minutes, once the newest key is 90 days old', () => {
    const keys = FAMILY_NAMES.map((family) => key({ family, kid: family, activeFrom: before(90 * DAY) }))
    expect(dueKeys(keys, before(1))).toEqual([])
    expect(dueKeys(keys, NOW)).toEqual(FAMILY_NAMES.map((family) => ({ family, activeFrom: after(15 * MINUTE) })))
  })
})

describe('a compromised key', () => {
  const before90 = { activeFrom: before(DAY) }
  const others = [key({ family: 'client', kid: 'c', ...before90 }), key({ family: 'refresh', kid: 'r', ...before90 })]

  it('neither signs nor is published, and its family signs with another at once', () => {
    const keys = [key({ ...before90, compromisedAt: NOW }), ...others]
    expect(activeKey('account', keys, NOW)).toBeUndefined()
    expect(publishedKeys('account', keys, NOW)).toEqual([])
    expect(dueKeys(keys, NOW)).toEqual([{ family: 'account', activeFrom: NOW }])
  })

  it('does not let the key sign again that it had retired', () => {
    const old = key({ kid: 'old', activeFrom: before(2 * DAY) })
    const keys = [old, key({ ...before90, compromisedAt: NOW }), ...others]
    expect(keyStateOf(old, keys, NOW)).not.toBe('active')
    expect(dueKeys(keys, NOW)).toEqual([{ family: 'account', activeFrom: NOW }])
  })

  it('never becomes active if it was pending, and retires no other', () => {
    const active = key({ kid: 'active', ...before90 })
    const keys = [active, key({ activeFrom: after(MINUTE), compromisedAt: NOW }), ...others]
    for (const time of [NOW, after(MINUTE), after(DAY)]) expect(activeKey('account', keys, time)).toBe(active)
    expect(rotationKeys(keys, NOW).map(({ family }) => family)).toContain('account')
  })

  it('is kept until the last token that it signed has expired', () => {
    const keys = [key({ ...before90, compromisedAt: NOW })]
    const end = 12 * 60 * MINUTE + 5 * MINUTE
    expect(expiredKeys(keys, after(end - 1))).toEqual([])
    expect(expiredKeys(keys, after(end))).toEqual(keys)
  })
})

describe(rotationKeys, () => {
  it('plans no second pending key', () => {
    const keys = [key({ family: 'account', activeFrom: after(MINUTE) }), key({ family: 'client', kid: 'c', activeFrom: before(DAY) })]
    expect(rotationKeys(keys, NOW).map(({ family }) => family)).toEqual(['client', 'refresh'])
  })
})

describe('any history of keys', () => {
  const moment = fc.integer({ min: -400, max: 30 }).map((days) => after(days * DAY))
  const history = fc
    .uniqueArray(fc.record({ family: fc.constantFrom(...FAMILY_NAMES), activeFrom: moment }), {
      selector: ({ family, activeFrom }) => `${family}${+activeFrom}`,
    })
    .map((keys) => keys.map((each, index) => key({ ...each, kid: `kid-${index}` })))

  it('has exactly one active key per family, as soon as one is due', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...FAMILY_NAMES), (keys, family) => {
        const active = keys.filter((each) => each.family === family && keyStateOf(each, keys, NOW) === 'active')
        const isAnyDue = keys.some((each) => each.family === family && each.activeFrom <= NOW)
        expect(active).toHaveLength(isAnyDue ? 1 : 0)
        expect(activeKey(family, keys, NOW)).toBe(active[0])
      }),
    )
  })

  it('has exactly one active key per family, none of them compromised, once what is due is there', () => {
    fc.assert(
      fc.property(history, fc.array(moment, { maxLength: 6 }), (keys, times) => {
        const past = times.filter((time) => time <= NOW)
        const some = keys.map((each, index) => ({ ...each, compromisedAt: past[index] ?? null }))
        const planned = dueKeys(some, NOW).map((plan, index) => key({ ...plan, kid: `new-${index}` }))
        for (const family of FAMILY_NAMES) {
          const all = [...some, ...planned]
          const active = all.filter((each) => each.family === family && keyStateOf(each, all, NOW) === 'active')
          expect(active.map(({ compromisedAt }) => compromisedAt)).toEqual([null])
        }
      }),
    )
  })

  it('never deletes a key before the tokens that it signed have expired', () => {
    fc.assert(
      fc.property(history, fc.nat(400 * 24), (keys, hours) => {
        const later = after(hours * 60 * MINUTE)
        for (const family of FAMILY_NAMES) {
          const signedBy = activeKey(family, keys, NOW)
          const isAlive = later.getTime() < NOW.getTime() + KEY_FAMILIES[family].lifetimeSeconds * 1000
          if (signedBy && isAlive) expect(publishedKeys(family, keys, later)).toContain(signedBy)
        }
      }),
    )
  })

  it('expires no key that is published', () => {
    fc.assert(
      fc.property(history, (keys) => {
        const published = FAMILY_NAMES.flatMap((family) => publishedKeys(family, keys, NOW))
        expect(new Set([...published, ...expiredKeys(keys, NOW)])).toEqual(new Set(keys))
        expect(published.length + expiredKeys(keys, NOW).length).toBe(keys.length)
      }),
    )
  })
})

function before(ms: number): Date {
  return after(-ms)
}

function after(ms: number): Date {
  return new Date(NOW.getTime() + ms)
}

function key(overrides: Partial<SigningKeyRecord> & { family?: KeyFamily }): SigningKeyRecord {
  const publicJwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'kid', alg: 'ES256', use: 'sig' } as const
  return { kid: 'kid', family: 'account', publicJwk, createdAt: NOW, activeFrom: NOW, compromisedAt: null, ...overrides }
}
