import type { ErrorCount, FailedCall } from '@trestle/contracts/eth-rpc/failures'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../../testing/partial.js'
import { rendered } from '../../testing/rendered.js'
import { errorsByCode, errorsByTime } from './error-totals.js'
import { ErrorsTab } from './errors-tab.js'
import { FailureContent } from './failure-details.js'

const context = 'eth'
const FROM = '2026-03-01T12:00:00.000Z'
const NEXT = '2026-03-01T13:00:00.000Z'
const PROJECT = partial<Project>({ id: 'p'.repeat(32), name: 'wallet' })
const LIST = ['ethereum', 'failures', 'eth', PROJECT.id]
const REVERTED: FailedCall = {
  ...{ id: '019ab000-0000-7000-8000-000000000001', time: FROM, requestId: 'request-1' },
  ...{ method: 'eth_call', code: 3, kind: 'reverted', ms: 12.5, upstream: 'geth' },
  request: { id: '7', params: [{ data: '0x1234' }, 'latest'] },
  error: { message: 'execution reverted: no', data: '0x08c379a0' },
}

const errors = (...changes: Partial<ErrorCount>[]) =>
  changes.map((change): ErrorCount => ({ time: FROM, method: 'eth_call', code: 3, kind: 'reverted', count: 1, ...change }))

describe(errorsByCode, () => {
  it('adds up, the most frequent first', () => {
    const given = errors(
      { count: 2 },
      { time: NEXT, count: 3 },
      { code: -32000, kind: 'rejected', count: 4 },
      { method: 'unknown', count: 4 },
    )
    expect(errorsByCode(given).map(({ method, code, count }) => [method, code, count])).toEqual([
      ['eth_call', 3, 5],
      ['eth_call', -32000, 4],
      ['unknown', 3, 4],
    ])
  })
})

describe(errorsByTime, () => {
  it('has a number for each period, also for one without failures', () => {
    expect(errorsByTime(errors({ count: 2 }, { code: 4, count: 3 }), [FROM, NEXT])).toEqual([5, 0])
  })
})

describe(ErrorsTab, () => {
  interface Shown {
    readonly counts?: readonly ErrorCount[]
    readonly samples?: readonly FailedCall[]
    readonly project?: Project
  }
  const tab = ({ counts = [], samples = [], project = PROJECT }: Shown) =>
    rendered(<ErrorsTab project={project} />, {
      context,
      answers: [
        [
          ['ethereum', 'errors', 'eth', PROJECT.id, 'day'],
          { from: FROM, to: '2026-03-01T15:00:00.000Z', granularity: 'hour', errors: counts },
        ],
        [LIST, { pages: [{ rows: samples }], pageParams: [] }],
      ],
    })

  it('says that no call failed', () => {
    const page = tab({})
    expect(page.all('h2')).toEqual(['No call failed in this period', 'Recent failures'])
    expect(page.text).toContain('No samples are kept at the moment.')
  })

  it('counts failures by method and code, in words', () => {
    const page = tab({ counts: errors({ count: 1200 }, { method: 'unknown', code: -32601, kind: 'unserved', count: 5 }) })
    expect(page.rows.slice(1, 3)).toEqual([
      ['eth_call', '3', 'Reverted', '1,200'],
      ['Not served, or no call', '-32601', 'Method not served', '5'],
    ])
    expect(page.has('aria-label="Failed calls"')).toBe(true)
  })

  it('lists samples, each with its details', () => {
    const page = tab({ samples: [REVERTED] })
    expect(page.rows[1]?.slice(1, 4)).toEqual(['eth_call', 'Reverted', '3: execution reverted: no'])
    expect(page.isEnabled('Details of eth_call, request request-1')).toBe(true)
    expect(page.input('Request ID')).toContain('placeholder="x-request-id of a response"')
  })

  it('says where samples are switched on', () => {
    expect(tab({ project: { ...PROJECT, failureSamples: false } }).text).toContain('This project keeps no samples')
  })

  it('shows why failures could not be read', () => {
    const failures = [[LIST, new Problem('unavailable', 'Away', 'The service is away.')]] as const
    expect(rendered(<ErrorsTab project={PROJECT} />, { context, failures }).text).toContain('The service is away.')
  })
})

describe(FailureContent, () => {
  it('shows what was asked, what was answered, and by which node', () => {
    const { text } = rendered(<FailureContent call={REVERTED} />)
    for (const shown of ['12.5 ms', 'Node that answered geth', 'request-1', '"data": "0x1234"', '"message": "execution reverted: no"'])
      expect(text).toContain(shown)
    expect(text).not.toContain('From the cache')
  })

  it('names the nodes that were asked in vain', () => {
    const call = { ...REVERTED, attempts: [{ upstream: 'geth', outcome: 'timeout' }], cached: true as const }
    const { text } = rendered(<FailureContent call={call} />)
    expect(text).toContain('Nodes asked in vain geth (timeout)')
    expect(text).toContain('From the cache Yes')
  })
})
