import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { createPool } from '@trestle/database/pool'
import { ROW_LOCK } from '@trestle/database/row-lock'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { raceToWrite } from '@trestle/testing/write-race'
import type { Pool } from 'pg'
import { aBlueprint } from '../../test/a-blueprint.js'
import { NODES_MIGRATIONS } from '../../test/nodes-under-test.js'
import { NodesDatabase } from '../database.module.js'
import type { NewWorkload } from './new-workload.js'
import { credentialsDigest } from './workload.js'
import { WorkloadsRepository } from './workloads.repository.js'

const NOW = new Date('2026-11-22T00:00:00.000Z')
const LATER = new Date('2026-12-22T00:00:00.000Z')

let database: TestDatabase
let pool: Pool
let workloads: WorkloadsRepository
const announced: string[] = []
beforeAll(async () => {
  database = await freshDatabase({ schema: 'nodes', migrations: NODES_MIGRATIONS })
  pool = createPool({ url: database.url, schema: 'nodes' })
  const client = new NodesDatabase({ adapter: new PrismaPg(pool, { schema: 'nodes' }) })
  const broadcasts = { publish: (_: unknown, { id }: { id: string }) => announced.push(id) } as unknown as Broadcasts
  workloads = new WorkloadsRepository(client, pool, broadcasts, { BIN_HOURS: 1 })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** An organization, its heir, and what is begun in it. */
interface Place {
  readonly organizationId: string
  readonly heirId: string
  readonly userId: string
}

describe.each<[string, (place: Place) => Promise<{ id: string; run: () => Promise<boolean> }>]>([
  ['a creation', async (place) => begunBy(newIn(place))],
  ['a transfer', beginTransfer],
  ['a restoration from the bin', beginRestoration],
])('%s', (_, begin) => {
  it('that is ahead of the dissolution leaves what the heir then has', async () => {
    const place = await placeOf()
    const { id, run } = await begin(place)
    const [added] = await raceToWrite(pool, 'workload', run, () => dissolve(place))
    expect(added).toEqual({ status: 'fulfilled', value: true })
    expect(await ownersOf(place, id)).toEqual([place.heirId])
  })

  it('that is behind the dissolution is refused', async () => {
    const place = await placeOf()
    const { id, run } = await begin(place)
    const [dissolved, added] = await raceToWrite(pool, 'workload', () => dissolve(place), run)
    expect(dissolved.status).toBe('fulfilled')
    expect(added).toEqual({ status: 'rejected', reason: expect.objectContaining({ status: 404, code: 'UnknownOrganization' }) })
    expect(await ownersOf(place, id)).not.toContain(place.organizationId)
  })
})

it('nothing is left in a dissolved organization, whatever happens in it meanwhile', async () => {
  const place = await placeOf()
  const begun = []
  for (let round = 0; round < 3; round++) begun.push(begunBy(newIn(place)), await beginTransfer(place), await beginRestoration(place))
  const acts = begun.map(({ run }) => run)
  acts.splice(4, 0, () => dissolve(place).then(() => true))
  await Promise.allSettled(acts.map((act) => act()))
  expect(await ownersOf(place)).not.toContain(place.organizationId)
})

it('an event that is delivered twice changes nothing the second time', async () => {
  const place = await placeOf()
  const created = begunBy(newIn(place))
  await created.run()
  await dissolve(place)
  expect(announced).toContain(created.id)
  announced.length = 0
  await dissolve({ ...place, heirId: `org-${randomUUID()}` })
  expect(announced).toEqual([])
  expect(await ownersOf(place, created.id)).toEqual([place.heirId])
  await expect(begunBy(newIn(place)).run()).rejects.toMatchObject({ code: 'UnknownOrganization' })
})

it('connections are left to others while one user, or one organization, waits for a lock', async () => {
  const [busy, other] = [await placeOf(), await placeOf()]
  for (const locked of [`user ${busy.userId}`, `organization ${busy.organizationId}`]) {
    const holder = await pool.connect()
    await holder.query('BEGIN')
    await holder.query(ROW_LOCK, [locked])
    const waiting = Array.from({ length: 30 }, () => begunBy(newIn(busy)).run())
    expect(await begunBy(newIn(other)).run()).toBe(true)
    await holder.query('ROLLBACK')
    holder.release()
    expect(await Promise.all(waiting)).toEqual(Array(30).fill(true))
  }
})

async function placeOf(): Promise<Place> {
  const [organizationId, heirId] = [`org-${randomUUID()}`, `org-${randomUUID()}`]
  const place = { organizationId, heirId, userId: `user-${randomUUID()}` }
  // The dissolution has something to write.
  await workloads.add(newIn(place), () => {})
  return place
}

function begunBy(workload: NewWorkload) {
  return { id: workload.id, run: () => workloads.add(workload, () => {}) }
}

async function beginTransfer({ organizationId, userId }: Place) {
  const elsewhere = newIn({ organizationId: `org-${randomUUID()}`, userId })
  await workloads.add(elsewhere, () => {})
  const to = { organizationId, userId, expiresAt: LATER }
  return { id: elsewhere.id, run: () => workloads.transfer(elsewhere, to, NOW, () => {}) }
}

async function beginRestoration(place: Place) {
  const removed = newIn(place)
  await workloads.add(removed, () => {})
  await workloads.remove(removed, NOW)
  return { id: removed.id, run: () => workloads.restore(removed, place, NOW, () => {}) }
}

function dissolve({ organizationId, heirId }: Pick<Place, 'organizationId' | 'heirId'>): Promise<void> {
  return workloads.inherit({ organizationId, heirId, dissolvedAt: NOW.toISOString() }, NOW)
}

/** Who owns this one, or all that the user of the place has created. */
async function ownersOf({ userId }: Place, id?: string): Promise<string[]> {
  const text = 'SELECT organization_id FROM workload WHERE user_id = $1 AND ($2::text IS NULL OR id = $2)'
  const { rows } = await pool.query<{ organization_id: string }>(text, [userId, id])
  return rows.map(({ organization_id }) => organization_id)
}

function newIn({ organizationId, userId }: Pick<Place, 'organizationId' | 'userId'>): NewWorkload {
  const id = `node-${randomUUID()}`
  const auth = { type: 'basic', user: 'u', sealedPassword: new Uint8Array(1), digest: Uint8Array.from(credentialsDigest(id, 'p')) } as const
  const owned = { id, kind: 'node', organizationId, userId, capacity: 1, allowedIps: [] } as const
  return { ...owned, blueprint: aBlueprint(), auth, createdAt: NOW, expiresAt: LATER }
}
