import { ManualClock } from '@trestle/runtime/test/manual-clock'
import type { UsageService } from '@trestle/usage/usage.service'
import { UsageMeter } from '@trestle/usage/usage-meter'
import { CallLedger } from '../call-limits/call-ledger.engine.js'
import type { ForeignTokenVerifier } from '../foreign-tokens/foreign-tokens.engine.js'
import { KeyUseBook } from '../keys/key-use-book.engine.js'
import { LimitsService } from '../limits/limits.service.js'
import { type CallSum, PROJECT_USAGE } from '../usage/project-usage.js'
import { LiveProjects } from './live-projects.engine.js'
import { newProject, type StoredProject } from './project.js'
import { ProjectPartsService } from './project-parts.service.js'
import type { ProjectsRepository, ProjectWithSpending } from './projects.repository.js'

const ID = 'a'.repeat(32)
const UNKNOWN = 'b'.repeat(32)
const AWAY = Object.assign(new Error('the database system is starting up'), { code: '57P03' })

describe(LiveProjects, () => {
  it('reads a project once for concurrent look-ups, then serves it from memory', async () => {
    const { projects, reader } = setUp()
    const [one, other] = await Promise.all([projects.get(ID), projects.get(ID)])
    expect(one).toBe(other)
    expect(projects.get(ID)).toBe(one)
    expect(reader.asked).toEqual([[ID]])
  })

  it('remembers an unknown id for 5 seconds', async () => {
    const { projects, reader, clock } = setUp()
    expect(await projects.get(UNKNOWN)).toBeUndefined()
    expect(projects.get(UNKNOWN)).toBeUndefined()
    clock.advance(5_001)
    reader.found.set(UNKNOWN, found({ id: UNKNOWN }))
    expect(await projects.get(UNKNOWN)).toBeDefined()
  })

  it.each(['', 'A'.repeat(32), 'a'.repeat(31), `${ID}0`, '../'.repeat(10)])('does not look up %j, which is not an id', (id) => {
    const { projects, reader } = setUp()
    expect(projects.get(id)).toBeUndefined()
    expect(reader.asked).toEqual([])
  })

  it('reads a project again after an announced change before serving it', async () => {
    const { projects, reader } = setUp()
    await projects.get(ID)
    reader.found.delete(ID)
    projects.forget(1)
    expect(await projects.get(ID)).toBeUndefined()
  })

  it('does not serve what was read before an announced change', async () => {
    const { projects, reader } = setUp()
    const before = await projects.get(ID)
    const held = reader.hold()
    const reading = projects.readAgain()
    projects.forget(1)
    held.release()
    await reading
    reader.found.set(ID, { ...found({ version: 2 }), spentToday: 1 })
    const changed = await projects.get(ID)
    expect(changed).toBeDefined()
    expect(changed).not.toBe(before)
  })

  it('finds unannounced changes when it refreshes', async () => {
    const { projects, reader } = setUp()
    await projects.get(ID)
    reader.found.delete(ID)
    await projects.readAgain()
    expect(projects.get(ID)).toBeUndefined()
  })

  it('expires the former id of a rotation on time', async () => {
    const { projects, reader, clock } = setUp()
    reader.found.set(ID, found({ id: UNKNOWN, former: { id: ID, until: new Date(clock.now().getTime() + 60_000) } }))
    expect(await projects.get(ID)).toBeDefined()
    clock.advance(59_999)
    expect(projects.get(ID)).toBeDefined()
    clock.advance(1)
    expect(await projects.get(ID)).toBeUndefined()
  })

  it('serves known projects for an hour while Postgres is away, but none that was announced as changed', async () => {
    const { projects, reader, clock } = setUp()
    const known = await projects.get(ID)
    reader.failure = AWAY
    await expect(projects.readAgain()).rejects.toBe(AWAY)
    clock.advance(3_599_000)
    expect(projects.get(ID)).toBe(known)
    await expect(projects.get(UNKNOWN)).rejects.toMatchObject({ status: 503, error: { code: -32002 } })
    projects.forget(1)
    await expect(projects.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('serves nothing that it could not refresh for an hour', async () => {
    const { projects, reader, clock } = setUp()
    await projects.get(ID)
    reader.failure = AWAY
    clock.advance(3_600_000)
    await expect(projects.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('drops projects that nobody has used for an hour', async () => {
    const { projects, reader, clock } = setUp()
    await projects.get(ID)
    clock.advance(3_600_001)
    await projects.readAgain()
    expect(reader.asked).toEqual([[ID]])
  })
})

describe('a key of a project', () => {
  const KEY = { id: UNKNOWN, number: 3, name: 'mobile', version: 1, expiresAt: null }

  it('leads to the project, and says which key it is', async () => {
    const { projects, reader } = setUp()
    reader.found.set(UNKNOWN, { ...found(), key: KEY })
    expect(await projects.get(UNKNOWN)).toMatchObject({ serial: 1, id: ID, key: { number: 3, name: 'mobile' } })
    expect(await projects.get(ID)).toMatchObject({ serial: 1, id: ID, key: undefined })
  })

  it('ends on time, and with its project', async () => {
    const { projects, reader, clock } = setUp()
    reader.found.set(UNKNOWN, { ...found(), key: { ...KEY, expiresAt: new Date(clock.now().getTime() + 60_000) } })
    expect(await projects.get(UNKNOWN)).toBeDefined()
    clock.advance(60_000)
    expect(await projects.get(UNKNOWN)).toBeUndefined()
    reader.found.set(UNKNOWN, { ...found(), key: KEY })
    clock.advance(5_001)
    expect(await projects.get(UNKNOWN)).toBeDefined()
    reader.found.delete(UNKNOWN)
    projects.forget(1)
    expect(await projects.get(UNKNOWN)).toBeUndefined()
  })

  it('has its new name once that was announced', async () => {
    const { projects, reader } = setUp()
    reader.found.set(UNKNOWN, { ...found(), key: KEY })
    await projects.get(UNKNOWN)
    reader.found.set(UNKNOWN, { ...found(), key: { ...KEY, version: 2, name: 'tablet' } })
    projects.forget(1)
    expect((await projects.get(UNKNOWN))?.key?.name).toBe('tablet')
  })
})

function setUp() {
  const reader = new FakeRepository()
  const clock = new ManualClock()
  reader.found.set(ID, found())
  const usage = { meterOf: () => new UsageMeter(PROJECT_USAGE.table.none, () => {}) } as unknown as UsageService<number, CallSum>
  const parts = new ProjectPartsService(usage, new KeyUseBook(clock), new CallLedger(clock), {} as ForeignTokenVerifier)
  const projects = new LiveProjects(reader as unknown as ProjectsRepository, parts, new LimitsService(clock), clock)
  return { reader, clock, projects }
}

class FakeRepository {
  readonly found = new Map<string, ProjectWithSpending>()
  readonly asked: (readonly string[])[] = []
  failure: Error | undefined
  private held: Promise<void> | undefined

  /** The next answers are those of now, and come when they are released. */
  hold() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return {
      release: () => {
        this.held = undefined
        resolve()
      },
    }
  }

  async listByIds(ids: readonly string[]): Promise<ProjectWithSpending[]> {
    this.asked.push(ids)
    if (this.failure) throw this.failure
    const answer = ids.flatMap((id) => this.found.get(id) ?? [])
    await this.held
    return answer
  }
}

function found({ id = ID, version = 1, former = undefined as StoredProject['former'] } = {}): ProjectWithSpending {
  const policy = { usual: { perSecond: 1, perDay: 1 }, max: { perSecond: 1, perDay: 1 }, namespaces: [] }
  const project = newProject(
    { id, organizationId: 'org-1', ownerId: 'user-1', owned: 0, created: 0, createdToday: 0 },
    { name: 'mine' },
    policy,
    new Date(0),
  )
  return { project: { ...project, serial: 1, version, former }, isOwnerDisabled: false, spentToday: 0 }
}
