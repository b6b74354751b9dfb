import { jest } from '@jest/globals'
import type { RunningService } from '@trestle/runtime/boot-service'
import { Clock } from '@trestle/runtime/clock'
import { eventually } from '@trestle/testing/eventually'
import { LimitsService } from '../src/limits/limits.service.js'
import type { LiveProject } from '../src/projects/live-project.js'
import { LiveProjects } from '../src/projects/live-projects.engine.js'
import { type Management, startManagement } from './management.js'

const PER_SECOND = 5_000
const COST = 26
const SECONDS = 4
const STEP_MS = 100

const hear = jest.spyOn(LimitsService.prototype, 'debitOthers')
const arrange = jest.spyOn(LimitsService.prototype, 'share')
// Time advances when a test says so: by then every process has received the earlier reports.
let now = Date.now()
jest.spyOn(Clock.prototype, 'now').mockImplementation(() => new Date(now))

let management: Management
let replicas: RunningService[]
let limits: LimitsService[]
beforeAll(async () => {
  management = await startManagement()
  replicas = [management.service, await management.replica(), await management.replica()]
  limits = replicas.map(({ app }) => app.get(LimitsService, { strict: false }))
  await eventually(() => limits.every((each) => othersHeardBy(each) === 2) || undefined, 'each says that it is there')
  arrange.mockClear()
  await eventually(() => limits.every((each) => arrange.mock.contexts.includes(each)) || undefined, 'each shares with the others')
})
afterAll(async () => {
  await Promise.all(replicas.slice(1).map((replica) => replica.stop()))
  await management.stop()
})

describe('the limit of a project', () => {
  it('holds over all processes together, within ten percent', async () => {
    const projects = await projectIn(replicas, { perSecond: PER_SECOND })
    const units = await storm(projects, (units) => heardAbroad() === units * (replicas.length - 1))
    // And what may be spent at once after a quiet time.
    expect(units).toBeLessThan(PER_SECOND * (SECONDS * 1.1 + 0.5))
    expect(units).toBeGreaterThan(PER_SECOND * SECONDS * 0.9)
  })

  it('holds for a day over all processes, whichever admitted the calls', async () => {
    const [first, second] = await projectIn(replicas, { perDay: 1000 })
    for (let i = 0; i < 50; i++) take(first, 26)
    expect(take(first, 26)?.kind).toBe('day')
    await eventually(() => take(second, 1)?.kind === 'day' || undefined, 'the other knows that the day is spent')
  })

  it('is split among the processes while NATS is away', async () => {
    const projects = await projectIn(replicas, { perSecond: PER_SECOND })
    await management.nats.kill()
    await eventually(() => limits.every(hearsNobody) || undefined, 'each knows that it hears nobody')
    const units = await storm(projects, () => true)
    await management.nats.start()
    expect(units).toBeLessThan(PER_SECOND * (SECONDS * 1.1 + 0.5))
    expect(units).toBeGreaterThan(PER_SECOND * SECONDS * 0.9)
  })
})

interface Served {
  readonly limits: LimitsService
  readonly project: LiveProject
}

async function projectIn(services: RunningService[], limits: object): Promise<Served[]> {
  const { body } = await management.user()('POST', '/projects', { name: 'limited', limits })
  return Promise.all(
    services.map(async ({ app }) => {
      const project = await app.get(LiveProjects, { strict: false }).get(body.id)
      if (!project) throw new Error('the project is unknown')
      return { limits: app.get(LimitsService, { strict: false }), project }
    }),
  )
}

/** As much as each lets through, step by step, each once the one before is known; the sum of it. */
async function storm(all: Served[], isKnown: (units: number) => boolean): Promise<number> {
  let units = 0
  hear.mockClear()
  for (let ms = 0; ms < SECONDS * 1000; ms += STEP_MS) {
    now += STEP_MS
    for (const served of all) while (!take(served, COST)) units += COST
    await eventually(() => isKnown(units) || undefined, 'the others have the report')
  }
  return units
}

/** The compute units reported to all processes. */
function heardAbroad(): number {
  return hear.mock.calls.flatMap(([, { spent }]) => spent).reduce((sum, [, units]) => sum + units, 0)
}

function othersHeardBy(listener: LimitsService): number {
  return new Set(hear.mock.calls.filter((_, i) => hear.mock.contexts[i] === listener).map(([process]) => process)).size
}

function hearsNobody(listener: LimitsService): boolean {
  return arrange.mock.calls[arrange.mock.contexts.lastIndexOf(listener)]?.[0] === false
}

function take(served: Served | undefined, units: number) {
  return served?.limits.take(served.project, units)
}
