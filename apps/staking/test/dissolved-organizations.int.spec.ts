import { randomBytes, randomUUID } from 'node:crypto'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import type { Outbox } from '@trestle/messaging/outbox'
import { raceToWrite } from '@trestle/testing/write-race'
import { ValidatorOwnersRepository } from '../src/ownership/validator-owners.repository.js'
import type { OwnedValidator } from '../src/validators/validator.js'
import { ValidatorsRepository } from '../src/validators/validators.repository.js'
import { rewardsSchema } from './rewards-schema.js'
import { stub } from './stub.js'

const NOW = new Date('2026-11-04T00:00:00Z')
const LATER = new Date('2026-11-07T00:00:00Z')

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let validators: ValidatorsRepository
let owners: ValidatorOwnersRepository
beforeAll(async () => {
  schema = await rewardsSchema()
  const outbox = stub<Outbox>({ add: async () => {}, wake: () => {} })
  validators = new ValidatorsRepository(schema.prisma, stub<Broadcasts>({ publish: () => true }), outbox)
  owners = new ValidatorOwnersRepository(schema.pool, outbox)
})
afterAll(() => schema.drop())

/** An organization that is about to be dissolved, and one of its members. */
interface Place {
  readonly organizationId: string
  readonly heirId: string
  readonly userId: string
}

describe.each<[string, (place: Place) => Promise<() => Promise<unknown>>]>([
  ['a creation', async (place) => () => create(place)],
  ['a transfer', beginTransfer],
  ['a restoration', beginRestoration],
])('%s', (_, begin) => {
  it('that is ahead of the dissolution leaves what the heir then has', async () => {
    const place = await placeOf()
    const [added] = await raceToWrite(schema.pool, 'validator', await begin(place), () => dissolve(place))
    expect(added.status).toBe('fulfilled')
    expect(await ownersOf(place)).toEqual([place.heirId, place.heirId])
  })

  it('that is behind the dissolution is refused', async () => {
    const place = await placeOf()
    const [dissolved, added] = await raceToWrite(schema.pool, 'validator', () => dissolve(place), await begin(place))
    expect(dissolved.status).toBe('fulfilled')
    expect(added).toEqual({ status: 'rejected', reason: expect.objectContaining({ status: 404, code: 'UnknownOrganization' }) })
    expect(await ownersOf(place)).not.toContain(place.organizationId)
  })
})

it('nothing is left in a dissolved organization, whatever happens in it meanwhile', async () => {
  const place = await placeOf()
  const acts: (() => Promise<unknown>)[] = []
  for (let round = 0; round < 3; round++) acts.push(() => create(place), await beginTransfer(place), await beginRestoration(place))
  acts.splice(4, 0, () => dissolve(place))
  await Promise.allSettled(acts.map((act) => act()))
  expect(await ownersOf(place)).not.toContain(place.organizationId)
})

it('an event that is delivered twice changes nothing the second time', async () => {
  const place = await placeOf()
  await dissolve(place)
  await dissolve({ ...place, heirId: `org-${randomUUID()}` })
  expect(await ownersOf(place)).toEqual([place.heirId])
  await expect(create(place)).rejects.toMatchObject({ code: 'UnknownOrganization' })
})

async function placeOf(): Promise<Place> {
  const [organizationId, heirId] = [`org-${randomUUID()}`, `org-${randomUUID()}`]
  const place = { organizationId, heirId, userId: `user-${randomUUID()}` }
  // The dissolution has something to write.
  await create(place)
  return place
}

function create({ organizationId, userId }: Pick<Place, 'organizationId' | 'userId'>): Promise<OwnedValidator> {
  const creator = { chain: 'dev', userId, organizationId, region: 'eu', createdAt: NOW }
  const key = { pubkey: randomBytes(48), keystore: '{}', sealedPassword: Buffer.alloc(1) }
  const deposit = { withdrawalCredentials: Buffer.alloc(32, 1), feeAddress: Buffer.alloc(20, 2), depositData: Buffer.alloc(420) }
  return validators.add({ ...creator, ...key, ...deposit }, () => {})
}

async function beginTransfer({ organizationId, userId }: Place) {
  const from = `org-${randomUUID()}`
  const { serial, pubkey } = await create({ organizationId: from, userId })
  const transfer = { serial, chain: 'dev', pubkey: pubkey.toString('hex'), from, to: organizationId }
  return () => owners.transfer(transfer, userId, NOW)
}

async function beginRestoration(place: Place) {
  const validator = await create(place)
  await validators.remove(validator, NOW, LATER)
  const owned = { organizationId: place.organizationId, chain: 'dev', pubkey: validator.pubkey.toString('hex') }
  return () => validators.restore(owned, NOW, () => {})
}

function dissolve({ organizationId, heirId }: Place): Promise<void> {
  return owners.inherit({ organizationId, heirId, dissolvedAt: NOW.toISOString() }, NOW)
}

/** Who owns what the member has created. */
async function ownersOf({ userId }: Place): Promise<string[]> {
  const { rows } = await schema.pool.query('SELECT organization_id FROM validator WHERE user_id = $1', [userId])
  return rows.map(({ organization_id }) => organization_id)
}
