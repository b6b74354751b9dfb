import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { type EthRpcSchema, ethRpcSchema } from '../../test/eth-rpc-schema.js'
import { type NewProjectRow, newProject, rotatedProject, type StoredProject } from './project.js'
import { ProjectsRepository } from './projects.repository.js'

const POLICY = { usual: { perSecond: 100, perDay: 9_000_000_000_000 }, max: { perSecond: 500, perDay: 10_000_000_000_000 }, namespaces: [] }
const NOW = new Date('2026-11-21T12:00:00.000Z')
let schema: EthRpcSchema
let projects: ProjectsRepository

beforeAll(async () => {
  schema = await ethRpcSchema()
  projects = new ProjectsRepository(schema.database)
})
afterAll(() => schema.drop())
beforeEach(() => schema.pool.query('TRUNCATE project, usage_day CASCADE'))

describe(ProjectsRepository, () => {
  it('lists what was added, newest first', async () => {
    const first = await add(made('1'))
    const second = await add({ ...made('2'), allowedIps: ['192.0.2.0/24'], createdAt: new Date(NOW.getTime() + 1) })
    await add(made('3', 'user-other'))
    expect(second).toEqual({
      ...made('2'),
      allowedIps: ['192.0.2.0/24'],
      createdAt: second.createdAt,
      serial: second.serial,
      former: undefined,
    })
    expect(await projects.list('org-1')).toEqual([second, first])
    expect(await projects.get({ organizationId: 'org-1', id: first.id })).toEqual(first)
  })

  it.each(['get', 'lock'] as const)('treats the project of another organization as unknown in `%s`', async (verb) => {
    const { id } = await add(made('1'))
    const asking =
      verb === 'get'
        ? projects.get({ organizationId: 'org-2', id })
        : schema.database.$transaction((tx) => projects.lock(tx, { organizationId: 'org-2', id }))
    await expect(asking).rejects.toMatchObject({ code: 'UnknownProject' })
  })

  it('saves a change, and deletes', async () => {
    const project = rotatedProject(await add(made('1')), 'b'.repeat(32), 60, NOW)
    await schema.database.$transaction((tx) => projects.save(tx, project))
    expect(await projects.get({ organizationId: 'org-1', id: project.id })).toEqual(project)
    await schema.database.$transaction((tx) => projects.remove(tx, project))
    expect(await projects.list('org-1')).toEqual([])
  })

  it('keeps a quorum, and none', async () => {
    const quorum = { agreeing: 2, nodes: 3, methods: ['eth_get*'], byHeader: true }
    const project = await add({ ...made('1'), quorum })
    expect(project.quorum).toEqual(quorum)
    await schema.database.$transaction((tx) => projects.save(tx, { ...project, quorum: undefined }))
    expect((await projects.get({ organizationId: 'org-1', id: project.id })).quorum).toBeUndefined()
  })

  it.each(['quorum_nodes = 3', 'quorum_nodes = 4, quorum_agreeing = 2', 'quorum_nodes = 2, quorum_agreeing = 3'])(
    'has no row with %s',
    async (columns) => {
      await add(made('1'))
      await expect(schema.pool.query(`UPDATE project SET ${columns}`)).rejects.toThrow('project_quorum')
    },
  )

  it('counts so that of two concurrent additions the second sees the first', async () => {
    const counts = await Promise.all(
      ['1', '2', '3'].map((digit) =>
        schema.database.$transaction(async (tx) => {
          const counts = await projects.count(tx, ownerOf('user-1'), NOW)
          await projects.add(tx, made(digit), counts)
          return counts.owned
        }),
      ),
    )
    expect(counts.sort()).toEqual([0, 1, 2])
  })

  it('counts those created on the same UTC day, deleted ones too', async () => {
    const countAt = (now: Date) => schema.database.$transaction((tx) => projects.count(tx, ownerOf('user-3'), now))
    const nextDay = new Date(NOW.getTime() + 24 * 3600_000)
    const project = made('1', 'user-3')
    for (let time = 0; time < 3; time++) {
      const added = await schema.database.$transaction(async (tx) =>
        projects.add(tx, project, await projects.count(tx, ownerOf('user-3'), NOW)),
      )
      await schema.database.$transaction((tx) => projects.remove(tx, added))
    }
    expect(await countAt(NOW)).toEqual({ owned: 0, created: 0, createdToday: 3 })
    expect(await countAt(nextDay)).toEqual({ owned: 0, created: 0, createdToday: 0 })
    await schema.database.$transaction(async (tx) => {
      await projects.add(tx, { ...project, createdAt: nextDay }, await projects.count(tx, ownerOf('user-3'), nextDay))
    })
    expect(await countAt(nextDay)).toEqual({ owned: 1, created: 1, createdToday: 1 })
  })

  it('belongs to the personal organization of its owner where the release before adds it', async () => {
    await schema.pool.query(
      `INSERT INTO project (id, owner_id, name, allowed_origins, allowed_methods, allowed_contracts, allowed_ips, require_token, per_second, per_day, created_at, updated_at)
       VALUES ($1, 'user-7', 'old', '{}', '{}', '{}', '{}', false, 1, 1, now(), now())`,
      ['d'.repeat(32)],
    )
    expect(await projects.get({ organizationId: 'org-7', id: 'd'.repeat(32) })).toMatchObject({ ownerId: 'user-7' })
  })

  it('says that the owner is disabled only of what the personal organization owns', async () => {
    const own = await add(made('1', 'user-9'))
    const shared = await add({ ...made('2', 'user-9'), organizationId: 'org-2' })
    await schema.pool.query(`INSERT INTO owner_status VALUES ('user-9', true, now())`)
    const found = await projects.listByIds([own.id, shared.id])
    expect(new Map(found.map(({ project, isOwnerDisabled }) => [project.serial, isOwnerDisabled]))).toEqual(
      new Map([
        [own.serial, true],
        [shared.serial, false],
      ]),
    )
  })

  it('finds projects by their current and former ids, with what they have spent today', async () => {
    const rotated = rotatedProject(await add(made('1')), 'b'.repeat(32), 60, NOW)
    await schema.database.$transaction((tx) => projects.save(tx, rotated))
    const other = await add(made('2'))
    await schema.pool.query(
      `INSERT INTO usage_day VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 123), ($1, (now() AT TIME ZONE 'UTC')::date - 1, 999)`,
      [other.serial],
    )
    expect(await projects.listByIds(['1'.repeat(32)])).toEqual([{ project: rotated, isOwnerDisabled: false, spentToday: 0 }])
    expect(await projects.listByIds(['b'.repeat(32), 'c'.repeat(32)])).toEqual([
      { project: rotated, isOwnerDisabled: false, spentToday: 0 },
    ])
    expect(await projects.listByIds([other.id])).toEqual([{ project: other, isOwnerDisabled: false, spentToday: 123 }])
  })
})

function add(project: NewProjectRow): Promise<StoredProject> {
  return schema.database.$transaction((tx) => projects.add(tx, project, { createdToday: 0 }))
}

/** A user, and the user's personal organization. */
function ownerOf(ownerId: string) {
  return { ownerId, organizationId: personalOrganizationOf(ownerId) }
}

function made(digit: string, ownerId = 'user-1'): NewProjectRow {
  return newProject(
    { id: digit.repeat(32), ...ownerOf(ownerId), owned: 0, created: 0, createdToday: 0 },
    { name: `project ${digit}` },
    POLICY,
    NOW,
  )
}
