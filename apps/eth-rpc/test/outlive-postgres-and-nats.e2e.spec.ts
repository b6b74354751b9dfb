import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import type { RunningService } from '@trestle/runtime/boot-service'
import { Jobs } from '@trestle/runtime/jobs'
import { eventually } from '@trestle/testing/eventually'
import { startPostgresProxy } from '@trestle/testing/postgres-proxy'
import { LiveProjects } from '../src/projects/live-projects.engine.js'
import { countCall } from '../src/usage/project-usage.js'
import { type Management, startManagement } from './management.js'

// What is done again and again is done ten times as often here.
const { every } = Jobs.prototype
jest.spyOn(Jobs.prototype, 'every').mockImplementation(function (this: Jobs, intervalMs, name, task) {
  return every.call(this, intervalMs / 10, name, task)
})

let management: Management
beforeAll(async () => {
  management = await startManagement()
})
afterAll(() => management.stop())

describe('while Postgres is away', () => {
  it('known projects are served, and their usage is written once', async () => {
    const owner = management.user()
    const { id } = (await owner('POST', '/projects', { name: 'mine' })).body
    const link = await startPostgresProxy(management.database.url)
    const replica = await management.replica({ DATABASE_URL: link.url })
    const count = async () => {
      const project = await live(replica).get(id)
      countCall(project!.meter, 'eth_call', { computeUnits: 26, bytesOut: 1, failed: false, cached: false, ms: 1 })
    }
    await count()
    await eventually(async () => (await callsOf(owner, id)) === 1 || undefined, 'the first call is written')

    link.cut()
    for (let i = 0; i < 10; i++) {
      await count()
      await delay(50)
    }
    await expect(live(replica).get('f'.repeat(32))).rejects.toMatchObject({ status: 503 })
    link.mend()
    await eventually(async () => (await callsOf(owner, id)) === 11 || undefined, 'the calls are written')
    await replica.stop()
    link.close()
    expect(await callsOf(owner, id)).toBe(11)
  })

  it('a stop loses no usage', async () => {
    const owner = management.user()
    const { id } = (await owner('POST', '/projects', { name: 'mine' })).body
    const replica = await management.replica()
    const project = await live(replica).get(id)
    countCall(project!.meter, 'eth_call', { computeUnits: 26, bytesOut: 1, failed: false, cached: false, ms: 1 })
    await replica.stop()
    expect(await callsOf(owner, id)).toBe(1)
    await eventually(
      () =>
        management.accounts.activities.find(
          ({ input }) => JSON.stringify(input).includes(`...${id.slice(-4)}`) && input.route === '/v1/{projectId}',
        ),
      'the call is recorded',
    )
  })
})

describe('while NATS is away', () => {
  it('a change takes effect at the next refresh', async () => {
    const owner = management.client()
    const { id } = (await owner('POST', '/projects', { name: 'mine' })).body
    await live(management.service).get(id)
    await management.nats.kill()
    await owner('PATCH', `/projects/${id}`, { requireToken: true })
    await eventually(
      async () => (await live(management.service).get(id))?.access.credentials.type === 'token' || undefined,
      'the change is known',
    )
    await management.nats.start()
  })
})

async function callsOf(owner: ReturnType<Management['user']>, id: string): Promise<number> {
  const { body } = await owner('GET', `/projects/${id}/usage`)
  return body.usage.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)
}

function live({ app }: RunningService): LiveProjects {
  return app.get(LiveProjects, { strict: false })
}
