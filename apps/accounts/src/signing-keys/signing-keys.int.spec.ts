import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { type AccountsSchema, accountsSchema } from '../../test/accounts-schema.js'
import type { AccountsEnv } from '../env.js'
import { FAMILY_NAMES } from './signing-key.js'
import { SigningKeysRepository } from './signing-keys.repository.js'
import { SigningKeysService } from './signing-keys.service.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe(SigningKeysService, () => {
  let schema: AccountsSchema
  let clock: ManualClock

  beforeEach(async () => {
    schema = await accountsSchema()
    clock = new ManualClock()
  })

  afterEach(() => schema.drop())

  it('generates exactly one first key per family, however many replicas start at once', async () => {
    const replicas = Array.from({ length: 6 }, () => replica())
    await Promise.all(replicas.map((each) => each.maintain()))
    expect(await schema.database.signingKey.count()).toBe(FAMILY_NAMES.length)
    const kids = await Promise.all(replicas.map(async (each) => (await each.active('account')).kid))
    expect(new Set(kids).size).toBe(1)
  })

  it('stores no private key in clear text', async () => {
    await replica().maintain()
    const [row] = await schema.database.signingKey.findMany()
    expect(Buffer.from(row?.privateSealed ?? []).includes('PRIVATE KEY')).toBe(false)
    await expect(replica([Buffer.alloc(32, 9)]).maintain()).rejects.toThrow('authenticate')
  })

  it('opens what an older encryption key sealed, and seals with the newest', async () => {
    const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const before = replica([older])
    await before.maintain()
    const after = replica([newer, older])
    await after.maintain()
    expect((await after.active('account')).kid).toBe((await before.active('account')).kid)
    await schema.database.signingKey.deleteMany()
    await after.maintain()
    await replica([newer]).maintain()
    await expect(replica([older]).maintain()).rejects.toThrow('authenticate')
  })

  it('signs with a rotated key only once every replica has had time to read it', async () => {
    const [one, other] = [replica(), replica()]
    await one.maintain()
    const first = await one.active('client')
    await one.rotate()
    await one.rotate()
    expect(await schema.database.signingKey.count()).toBe(2 * FAMILY_NAMES.length)

    expect((await one.active('client')).kid).toBe(first.kid)
    expect(await one.published('client')).toHaveLength(2)
    clock.advance(15 * MINUTE)
    const second = await one.active('client')
    expect(second.kid).not.toBe(first.kid)
    // One that has read nothing since reads again by itself.
    expect((await other.active('client')).kid).toBe(second.kid)
  })

  it('deletes a key five minutes after the last token that it signed has expired', async () => {
    const keys = replica()
    await keys.maintain()
    await keys.rotate()
    clock.advance(15 * MINUTE + 65 * MINUTE - 1)
    await keys.maintain()
    expect(await keys.published('client')).toHaveLength(2)
    clock.advance(1)
    await keys.maintain()
    expect(await keys.published('client')).toHaveLength(1)
    expect(await schema.database.signingKey.count({ where: { family: 'client' } })).toBe(1)
    expect(await schema.database.signingKey.count({ where: { family: 'account' } })).toBe(2)
  })

  it('replaces a compromised key at once, in every replica within a second', async () => {
    const [one, other] = [replica(), replica()]
    await Promise.all([one.maintain(), other.maintain()])
    const stolen = await one.active('account')
    await schema.database.$transaction((tx) => one.compromise(tx, stolen.kid, clock.now()))
    expect(await other.compromised()).toEqual([stolen.kid])
    const { kid } = await other.active('account')
    expect(kid).not.toBe(stolen.kid)
    expect((await other.published('account')).map((key) => key.kid)).toEqual([kid])

    await one.reload()
    expect((await one.active('account')).kid).toBe(kid)
    expect(await one.describe()).toContainEqual(expect.objectContaining({ kid: stolen.kid, state: 'compromised' }))
    await expect(schema.database.$transaction((tx) => one.compromise(tx, 'x', clock.now()))).rejects.toMatchObject({
      code: 'UnknownSigningKey',
    })
  })

  it('replaces a key that was marked as compromised in the database', async () => {
    const keys = replica()
    await keys.maintain()
    const { kid } = await keys.active('client')
    await schema.database.signingKey.update({ where: { kid }, data: { compromisedAt: clock.now() } })
    expect(await keys.compromised()).toEqual([kid])
    expect((await keys.active('client')).kid).not.toBe(kid)
  })

  it('rotates by itself after 90 days', async () => {
    const keys = replica()
    await keys.maintain()
    clock.advance(90 * DAY)
    await keys.maintain()
    expect((await keys.describe()).map(({ family, state }) => `${family} ${state}`).sort()).toEqual([
      'account active',
      'account pending',
      'client active',
      'client pending',
      'refresh active',
      'refresh pending',
    ])
  })

  function replica(KEY_ENCRYPTION_KEY = [Buffer.alloc(32, 1)]): SigningKeysService {
    return new SigningKeysService(schema.database, new SigningKeysRepository(schema.database), clock, { KEY_ENCRYPTION_KEY } as AccountsEnv)
  }
})
