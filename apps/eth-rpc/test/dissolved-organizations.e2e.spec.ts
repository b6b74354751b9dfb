import { randomUUID } from 'node:crypto'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { raceToWrite } from '@trestle/testing/write-race'
import { Pool } from 'pg'
import { OwnersService } from '../src/projects/owners.service.js'
import { ProjectsService } from '../src/projects/projects.service.js'
import { type Management, startManagement } from './management.js'

let management: Management
let pool: Pool
let projects: ProjectsService
let owners: OwnersService
beforeAll(async () => {
  management = await startManagement()
  const { app } = management.service
  pool = app.get(Pool)
  projects = app.get(ProjectsService, { strict: false })
  owners = app.get(OwnersService, { strict: false })
})
afterAll(() => management.stop())

/** An organization that is about to be dissolved, and one of its members. */
interface Place extends Dissolution {
  readonly userId: string
}

describe.each([
  ['a creation', (place: Place) => Promise.resolve(() => create(place))],
  ['a transfer', beginTransfer],
])('%s', (_, begin) => {
  it('that is ahead of the dissolution leaves what the heir then has', async () => {
    const place = await placeOf()
    const [added] = await raceToWrite(pool, 'project', await begin(place), () => owners.inherit([place]))
    expect(added).toMatchObject({ status: 'fulfilled', value: { organization: place.organizationId } })
    expect(await ownersOf(place)).toEqual([place.heirId, place.heirId])
  })

  it('that is behind the dissolution is refused', async () => {
    const place = await placeOf()
    const [dissolved, added] = await raceToWrite(pool, 'project', () => owners.inherit([place]), await begin(place))
    expect(dissolved.status).toBe('fulfilled')
    expect(added).toEqual({ status: 'rejected', reason: expect.objectContaining({ status: 404, code: 'UnknownOrganization' }) })
    expect(await ownersOf(place)).not.toContain(place.organizationId)
  })
})

it('nothing is left in a dissolved organization, whatever happens in it meanwhile', async () => {
  const place = await placeOf()
  const acts: (() => Promise<unknown>)[] = []
  for (let round = 0; round < 3; round++) acts.push(() => create(place), await beginTransfer(place))
  acts.splice(3, 0, () => owners.inherit([place]))
  await Promise.allSettled(acts.map((act) => act()))
  expect(await ownersOf(place)).not.toContain(place.organizationId)
})

it('an event that is delivered twice changes nothing the second time, and versions rise once', async () => {
  const place = await placeOf()
  await owners.inherit([place, place])
  await owners.inherit([{ ...place, heirId: `org-${randomUUID()}` }])
  expect(await ownersOf(place)).toEqual([place.heirId])
  const { rows } = await management.sql.query('SELECT version FROM project WHERE owner_id = $1', [place.userId])
  expect(rows).toEqual([{ version: 2 }])
  await expect(create(place)).rejects.toMatchObject({ code: 'UnknownOrganization' })
})

async function placeOf(): Promise<Place> {
  const [organizationId, heirId] = [`org-${randomUUID()}`, `org-${randomUUID()}`]
  const place = { organizationId, heirId, dissolvedAt: new Date().toISOString(), userId: `user-${randomUUID()}` }
  // The dissolution has something to write.
  await create(place)
  return place
}

function create(caller: Pick<Place, 'organizationId' | 'userId'>) {
  return projects.create(caller, { name: 'shared' })
}

async function beginTransfer({ organizationId, userId }: Place) {
  const elsewhere = { organizationId: `org-${randomUUID()}`, userId }
  const { id } = await create(elsewhere)
  return () => projects.transfer({ organizationId: elsewhere.organizationId, id }, organizationId)
}

/** Who owns what the member has created. */
async function ownersOf({ userId }: Place): Promise<string[]> {
  const { rows } = await management.sql.query('SELECT organization_id FROM project WHERE owner_id = $1', [userId])
  return rows.map(({ organization_id }) => organization_id)
}
