import { Problem } from '@trestle/problem/problem'
import { MembershipCheck } from './membership-check.engine.js'
import { currentOrganization } from './organization-choice.engine.js'

const UNKNOWN = new Problem('unknown', 'UnknownOrganization', 'There is no such organization.')

describe(MembershipCheck, () => {
  const { localStorage } = globalThis
  let kept: Map<string, string>
  let done: string[]
  beforeEach(() => {
    kept = new Map([['trestle-organization', 'org-1']])
    done = []
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept), removeItem: kept.delete.bind(kept) }
    Object.assign(globalThis, { localStorage: storage })
  })
  afterEach(() => Object.assign(globalThis, { localStorage }))

  const checkOf = (list: () => Promise<{ id: string }[]>) =>
    new MembershipCheck({ list, refresh: () => done.push('refresh'), pause: async () => done.push('pause') })

  it('returns to the personal organization from one that the user has left', async () => {
    await checkOf(async () => [{ id: 'org-2' }]).notice(UNKNOWN)
    expect([currentOrganization(), done]).toEqual([undefined, ['refresh']])
  })

  it('asks a service again that has not heard of the organization yet', async () => {
    await checkOf(async () => [{ id: 'org-1' }]).notice(UNKNOWN)
    expect([currentOrganization(), done]).toEqual(['org-1', ['pause', 'refresh']])
  })

  it('keeps the choice while accounts does not answer', async () => {
    await checkOf(() => Promise.reject(UNKNOWN)).notice(UNKNOWN)
    expect([currentOrganization(), done]).toEqual(['org-1', ['pause', 'refresh']])
  })

  it('checks once, however many calls are refused', async () => {
    const check = checkOf(async () => [{ id: 'org-1' }])
    await Promise.all([check.notice(UNKNOWN), check.notice(UNKNOWN)])
    expect(done).toEqual(['pause', 'refresh'])
  })

  it('takes no other problem for it, and nothing where no organization is chosen', async () => {
    const check = checkOf(async () => [])
    await check.notice(new Problem('unknown', 'UnknownNode', 'No.'))
    kept.clear()
    await check.notice(UNKNOWN)
    expect(done).toEqual([])
  })
})
