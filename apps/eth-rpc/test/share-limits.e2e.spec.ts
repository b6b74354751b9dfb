import { setTimeout as delay } from 'node:timers/promises'
import type { RunningService } from '@trestle/runtime/boot-service'
import { Limits } from '../src/limits/limits.service.js'
import type { LiveProject } from '../src/projects/live-project.js'
import { LiveProjects } from '../src/projects/live-projects.service.js'
import { eventually, type Management, startManagement } from './management.js'

const PER_SECOND = 5_000
const COST = 26
const SECONDS = 4

let management: Management
let replicas: RunningService[]
beforeAll(async () => {
  management = await startManagement()
  replicas = [management.service, await management.replica(), await management.replica()]
  // Each says every second that it is there.
  await delay(1200)
})
afterAll(async () => {
  await Promise.all(replicas.slice(1).map((replica) => replica.stop()))
  await management.stop()
})

describe('the limit of a project', () => {
  it('holds over all processes together, within a tenth', async () => {
    const projects = await projectIn(replicas, { perSecond: PER_SECOND })
    const before = performance.now()
    const units = await storm(projects, SECONDS * 1000)
    const seconds = (performance.now() - before) / 1000
    // And what may be spent at once after a quiet time.
    expect(units).toBeLessThan(PER_SECOND * (seconds * 1.1 + 0.5))
    expect(units).toBeGreaterThan(PER_SECOND * seconds * 0.9)
  })

  it('holds for a day over all processes, whoever let the calls through', async () => {
    const [first, second] = await projectIn(replicas, { perDay: 1000 })
    for (let i = 0; i < 50; i++) take(first, 26)
    expect(take(first, 26)?.kind).toBe('day')
    await eventually(() => take(second, 1)?.kind === 'day' || undefined, 'the other knows that the day is spent', 5000)
  })

  it('is shared out while NATS is away', async () => {
    const projects = await projectIn(replicas, { perSecond: PER_SECOND })
    await management.nats.kill()
    await delay(1200)
    const before = performance.now()
    const units = await storm(projects, 2000)
    const seconds = (performance.now() - before) / 1000
    await management.nats.start()
    expect(units).toBeLessThan(PER_SECOND * (seconds * 1.1 + 0.5))
    expect(units).toBeGreaterThan(PER_SECOND * seconds * 0.9)
  })
})

interface Served {
  readonly limits: Limits
  readonly project: LiveProject
}

async function projectIn(services: RunningService[], limits: object): Promise<Served[]> {
  const { body } = await management.user()('POST', '/projects', { name: 'limited', limits })
  return Promise.all(
    services.map(async ({ app }) => {
      const project = await app.get(LiveProjects, { strict: false }).get(body.id)
      if (!project) throw new Error('the project is unknown')
      return { limits: app.get(Limits, { strict: false }), project }
    }),
  )
}

/** As much as each lets through, for so long; the sum of it. */
async function storm(all: Served[], ms: number): Promise<number> {
  let units = 0
  for (const end = performance.now() + ms; performance.now() < end; await delay(2)) {
    for (const served of all) while (!take(served, COST)) units += COST
  }
  return units
}

function take(served: Served | undefined, units: number) {
  return served?.limits.take(served.project, units)
}
