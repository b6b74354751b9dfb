import { ROW_LOCK } from '@trestle/database/row-lock'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import type { Outbox } from '@trestle/messaging/outbox'
import { Problem } from '@trestle/problem/problem'
import { rewardsSchema } from '../../test/rewards-schema.js'
import { stub } from '../../test/stub.js'
import { PolicyService } from './policy.service.js'
import type { ValidatorCounts } from './validator.js'
import { type NewValidatorRow, ValidatorsRepository } from './validators.repository.js'

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let validators: ValidatorsRepository
beforeAll(async () => {
  schema = await rewardsSchema()
  validators = new ValidatorsRepository(schema.prisma, stub<Broadcasts>({ publish: () => true }), stub<Outbox>({ wake: () => {} }))
})
afterAll(() => schema.drop())

describe(ValidatorsRepository, () => {
  it('refuses a public key that another validator has, and stores nothing', async () => {
    await validators.add(rowOf(1), admitAll)
    const request = { key: 'order-1', hash: Buffer.alloc(32, 1) }
    for (const given of [rowOf(1), rowOf(1, { userId: 'user-2' }), rowOf(1, { userId: 'user-2', request })])
      await expect(validators.add(given, admitAll)).rejects.toMatchObject({
        code: 'P2002',
        meta: expect.objectContaining({ modelName: 'Validator' }),
      })
    expect(await schema.prisma.validator.count({ where: { pubkey: Buffer.alloc(48, 1) } })).toBe(1)
    expect(await validators.findRequest('user-2', 'order-1')).toBeUndefined()
  })

  it('never changes or deletes a keystore, but seals its password again', async () => {
    await validators.add(rowOf(70), admitAll)
    const where = { pubkey: Buffer.alloc(48, 70) }
    await schema.prisma.validatorKey.update({ where, data: { sealedPassword: Buffer.from('sealed again') } })
    await expect(schema.prisma.validatorKey.update({ where, data: { keystore: '{}' } })).rejects.toThrow('never changed')
    await expect(schema.prisma.validatorKey.delete({ where })).rejects.toThrow('never changed')
  })

  it.each([
    ['until its time is over', { restorable_until: '2026-11-05T00:00:00Z' }, true],
    ['not later', { restorable_until: '2026-11-03T23:59:59Z' }, false],
    ['not without its key', { restorable_until: '2026-11-05T00:00:00Z', released_at: '2026-11-03T00:00:00Z' }, false],
    ['not if the release before removed it', { restorable_until: null }, false],
    ['while it is staking', { restorable_until: '2026-11-03T00:00:00Z', deposited_at: '2026-11-01T00:00:00Z' }, true],
    [
      'not once it is paid out',
      { restorable_until: null, deposited_at: '2026-11-01T00:00:00Z', withdrawn_at: '2026-11-02T00:00:00Z' },
      false,
    ],
  ])('restores a removed validator %s', async (_, columns, isRestored) => {
    const now = new Date('2026-11-04T00:00:00Z')
    await schema.pool.query('TRUNCATE validator CASCADE')
    const { serial } = await validators.add(rowOf(80), admitAll)
    const changed = { removed_at: '2026-11-02T00:00:00Z', ...columns }
    for (const [column, value] of Object.entries(changed))
      await schema.pool.query(`UPDATE validator SET ${column} = $1 WHERE serial = $2`, [value, serial])
    const owned = { organizationId: 'org-1', chain: 'dev', pubkey: Buffer.alloc(48, 80).toString('hex') }
    expect(await validators.listRemoved('org-1', 'dev', now)).toHaveLength(isRestored ? 1 : 0)
    expect(await validators.restore({ ...owned, organizationId: 'org-2' }, now, admitAll)).toBeUndefined()
    expect(await validators.find(owned)).toBeUndefined()
    expect((await validators.restore(owned, now, admitAll))?.serial).toBe(isRestored ? serial : undefined)
    expect((await validators.find(owned))?.serial).toBe(isRestored ? serial : undefined)
    expect(await validators.restore(owned, now, admitAll)).toBeUndefined()
  })

  it('counts what its owner created within a day, the removed ones too', async () => {
    const [userId, createdAt] = ['user-4', new Date('2026-11-02T00:00:00Z')]
    const counts: ValidatorCounts[] = []
    const add = (byte: number, at: Date) => validators.add(rowOf(byte, { userId, createdAt: at }), (each) => counts.push(each))
    await add(40, new Date('2026-10-31T23:59:59Z'))
    for (const byte of [41, 42]) await validators.remove(await add(byte, createdAt), createdAt)
    await add(43, createdAt)
    expect(counts).toEqual([
      { owned: 0, createdToday: 0 },
      { owned: 1, createdToday: 0 },
      { owned: 1, createdToday: 1 },
      { owned: 1, createdToday: 2 },
    ])
    const policy = new PolicyService({ BIN_HOURS: 72, MAX_VALIDATORS: 2, PROTECT_STAKING_VALIDATORS: false, REQUIRE_EXIT_SIGNATURE: false })
    expect(() => policy.checkCount({ owned: 1, createdToday: 3 })).not.toThrow()
    expect(() => policy.checkCount({ owned: 1, createdToday: 4 })).toThrow(expect.objectContaining({ status: 429, code: 'LimitExceeded' }))
  })

  it('leaves connections to others while one user, or one organization, waits for a lock', async () => {
    const busy = { userId: 'user-5', organizationId: 'org-5' }
    for (const [at, locked] of ['user user-5', 'organization org-5'].entries()) {
      const holder = await schema.pool.connect()
      await holder.query('BEGIN')
      await holder.query(ROW_LOCK, [locked])
      const waiting = Array.from({ length: 20 }, (_, i) => validators.add(rowOf(120 + 50 * at + i, busy), admitAll))
      const other = rowOf(150 + 50 * at, { userId: 'user-6', organizationId: 'org-6' })
      expect(await validators.add(other, admitAll)).toMatchObject({ userId: 'user-6' })
      await holder.query('ROLLBACK')
      holder.release()
      expect(await Promise.all(waiting)).toHaveLength(20)
    }
  })

  it('stores one validator for a request that comes many times at once, even as the last that its owner may have', async () => {
    const userId = 'user-3'
    const request = { key: 'order-1', hash: Buffer.alloc(32, 1) }
    const admit = ({ owned }: ValidatorCounts) => {
      if (owned > 0) throw new Problem('conflict', 'LimitExceeded', 'You have one already.')
    }
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => validators.add(rowOf(10 + i, { userId, request }), admit)))
    expect(new Set(all.map(({ serial }) => serial)).size).toBe(1)
    expect(all[0]?.requestHash).toEqual(request.hash)
    await expect(validators.add(rowOf(20, { userId }), admit)).rejects.toMatchObject({ code: 'LimitExceeded' })
    expect(await schema.prisma.validatorKey.count({ where: { validator: { userId } } })).toBe(1)
  })
})

function admitAll(): void {}

function rowOf(byte: number, given: Partial<NewValidatorRow> = {}): NewValidatorRow {
  return {
    ...{
      chain: 'dev',
      userId: 'user-1',
      organizationId: 'org-1',
      region: 'eu',
      pubkey: Buffer.alloc(48, byte),
      withdrawalCredentials: Buffer.alloc(32, 1),
    },
    ...{ feeAddress: Buffer.alloc(20, 2), depositData: Buffer.alloc(420), createdAt: new Date('2026-11-01T00:00:00Z') },
    ...{ keystore: '{}', sealedPassword: Buffer.alloc(1), ...given },
  }
}
