import {
  CREATED_A_DAY,
  CREATED_LIMIT,
  changedProject,
  describeProject,
  newProject,
  OWNED_LIMIT,
  policyOf,
  rotatedProject,
  type StoredProject,
} from './project.js'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const POLICY = { usual: { perSecond: 100, perDay: 1000 }, max: { perSecond: 500, perDay: 5000 }, namespaces: [] }
const OWNER = { id: 'f'.repeat(32), organizationId: 'org-2', ownerId: 'user-1', owned: 0, created: 0, createdToday: 0 }

describe(policyOf, () => {
  const grant = (perSecond: number, perDay: number) => ({ perSecond, perDay, namespaces: ['debug'], grantedAt: NOW })

  it.each([
    [undefined, POLICY],
    [grant(1000, 9000), { usual: POLICY.usual, max: { perSecond: 1000, perDay: 9000 }, namespaces: ['debug'] }],
    [grant(50, 9000), { usual: { perSecond: 50, perDay: 1000 }, max: { perSecond: 50, perDay: 9000 }, namespaces: ['debug'] }],
    [grant(1, 1), { usual: { perSecond: 1, perDay: 1 }, max: { perSecond: 1, perDay: 1 }, namespaces: ['debug'] }],
  ])('with %j granted is %j', (granted, expected) => {
    expect(policyOf(POLICY, granted)).toEqual(expected)
  })
})

describe(newProject, () => {
  it('is open to everyone, with the limits of the deployment, by default', () => {
    expect(newProject(OWNER, { name: 'mine' }, POLICY, NOW)).toEqual({
      id: OWNER.id,
      organizationId: 'org-2',
      ownerId: OWNER.ownerId,
      name: 'mine',
      allowedOrigins: [],
      allowedMethods: [],
      allowedContracts: [],
      allowedIps: [],
      namespaces: [],
      requireToken: false,
      failureSamples: true,
      limits: { perSecond: 100, perDay: 1000 },
      version: 1,
      createdAt: NOW,
      updatedAt: NOW,
    })
  })

  it('takes the settings of its owner', () => {
    const given = { name: 'mine', allowedMethods: ['eth_call', 'web_*'], requireToken: true, limits: { perSecond: 500 } }
    expect(newProject(OWNER, given, POLICY, NOW)).toMatchObject({
      allowedMethods: ['eth_call', 'web_*'],
      requireToken: true,
      limits: { perSecond: 500, perDay: 1000 },
    })
  })

  it(`is refused to who has created ${CREATED_LIMIT}, in whatever organization`, () => {
    expect(() => newProject({ ...OWNER, created: CREATED_LIMIT }, { name: 'mine' }, POLICY, NOW)).toThrow(
      expect.objectContaining({ code: 'LimitExceeded', kind: 'conflict' }),
    )
  })

  it(`is refused to an organization that owns ${OWNED_LIMIT}`, () => {
    expect(() => newProject({ ...OWNER, owned: OWNED_LIMIT }, { name: 'mine' }, POLICY, NOW)).toThrow(
      expect.objectContaining({ code: 'LimitExceeded', kind: 'conflict' }),
    )
  })

  it(`is refused to whoever has created ${CREATED_A_DAY} on the day`, () => {
    expect(() => newProject({ ...OWNER, createdToday: CREATED_A_DAY }, { name: 'mine' }, POLICY, NOW)).toThrow(
      expect.objectContaining({ code: 'LimitExceeded', kind: 'too-many', headers: { 'retry-after': '3600' } }),
    )
  })

  it('may be allowed methods of the namespaces that it has', () => {
    const [policy, namespaces] = [{ ...POLICY, namespaces: ['debug'] }, ['debug'] as const]
    const given = { name: 'mine', namespaces: [...namespaces], allowedMethods: ['eth_*', 'debug_trace*'] }
    expect(newProject(OWNER, given, policy, NOW)).toMatchObject({ namespaces: ['debug'], allowedMethods: given.allowedMethods })
    const refused = expect.objectContaining({ code: 'NamespaceNotGranted' })
    expect(() => newProject(OWNER, given, POLICY, NOW)).toThrow(refused)
    expect(() => newProject(OWNER, { ...given, allowedMethods: ['trace_*'] }, policy, NOW)).toThrow(
      expect.objectContaining({ code: 'UnknownMethod' }),
    )
  })

  it.each(['eth_sign', 'eth_Call', 'debug_*', 'anvil_mine', 'web3_*x'])('refuses to allow %s, which is not a method', (method) => {
    expect(() => newProject(OWNER, { name: 'mine', allowedMethods: ['eth_call', method] }, POLICY, NOW)).toThrow(
      expect.objectContaining({ code: 'UnknownMethod', kind: 'invalid' }),
    )
  })

  it('may have a quorum for methods that can have one', () => {
    const quorum = { agreeing: 2, nodes: 3, methods: ['eth_call', 'eth_get*'], byHeader: true }
    expect(newProject(OWNER, { name: 'mine', quorum }, POLICY, NOW)).toMatchObject({ quorum })
    for (const method of ['eth_gasPrice', 'eth_newFilter', 'web3_*'])
      expect(() => newProject(OWNER, { name: 'mine', quorum: { ...quorum, methods: [method] } }, POLICY, NOW)).toThrow(
        expect.objectContaining({ code: 'UnknownMethod', errors: [expect.objectContaining({ path: 'body.quorum.methods' })] }),
      )
  })

  it.each(['perSecond', 'perDay'] as const)('refuses a limit %s above the maximum of the deployment', (period) => {
    const given = { name: 'mine', limits: { [period]: POLICY.max[period] + 1 } }
    expect(() => newProject(OWNER, given, POLICY, NOW)).toThrow(expect.objectContaining({ code: 'LimitTooHigh' }))
  })
})

describe(changedProject, () => {
  it('keeps settings that are not given, single limits too', () => {
    const before = project({ allowedIps: ['192.0.2.1'], limits: { perSecond: 7, perDay: 8 } })
    const changed = changedProject(before, { name: 'new', allowedOrigins: undefined, limits: { perDay: 9 } }, POLICY, NOW)
    expect(changed).toEqual({ ...before, name: 'new', limits: { perSecond: 7, perDay: 9 }, version: 2, updatedAt: NOW })
  })

  it('keeps its quorum until another is given, or null', () => {
    const quorum = { agreeing: 2, nodes: 2, methods: [], byHeader: true }
    const before = project({ quorum })
    expect(changedProject(before, { name: 'new' }, POLICY, NOW).quorum).toEqual(quorum)
    expect(changedProject(before, { quorum: { ...quorum, nodes: 3 } }, POLICY, NOW).quorum).toEqual({ ...quorum, nodes: 3 })
    expect(changedProject(before, { quorum: null }, POLICY, NOW).quorum).toBeUndefined()
  })

  it('clears a list that is given as empty', () => {
    expect(changedProject(project({ allowedIps: ['192.0.2.1'] }), { allowedIps: [] }, POLICY, NOW).allowedIps).toEqual([])
  })
})

describe(rotatedProject, () => {
  it('ends the id at once', () => {
    expect(rotatedProject(project(), 'a'.repeat(32), 0, NOW)).toMatchObject({ id: 'a'.repeat(32), former: undefined, version: 2 })
  })

  it('keeps the former id for the grace period', () => {
    const { former } = rotatedProject(project(), 'a'.repeat(32), 60, NOW)
    expect(former).toEqual({ id: OWNER.id, until: new Date('2026-11-21T12:01:00.000Z') })
  })

  it('ends the id of an earlier rotation, whatever its grace period', () => {
    const first = rotatedProject(project(), 'a'.repeat(32), 3600, NOW)
    expect(rotatedProject(first, 'b'.repeat(32), 0, NOW).former).toBeUndefined()
    expect(rotatedProject(first, 'b'.repeat(32), 5, NOW).former?.id).toBe('a'.repeat(32))
  })
})

describe(describeProject, () => {
  const place = { chain: 'eth', baseUrl: 'https://trestle.test/eth' }

  it('has the URL for JSON-RPC, and nothing internal', () => {
    const reported = describeProject(project(), place, NOW)
    expect(reported).toMatchObject({ chain: 'eth', url: `https://trestle.test/eth/v1/${OWNER.id}` })
    expect(Object.keys(reported)).not.toEqual(expect.arrayContaining(['serial', 'ownerId', 'version', 'former']))
  })

  it('shows the former id until it expires', () => {
    const former = { id: 'a'.repeat(32), until: new Date('2026-11-21T12:00:01.000Z') }
    expect(describeProject(project({ former }), place, NOW).formerIdUntil).toBe('2026-11-21T12:00:01.000Z')
    expect(describeProject(project({ former }), place, former.until).formerIdUntil).toBeUndefined()
  })
})

function project(overrides: Partial<StoredProject> = {}): StoredProject {
  return { ...newProject(OWNER, { name: 'mine' }, POLICY, new Date(0)), serial: 1, ...overrides }
}
