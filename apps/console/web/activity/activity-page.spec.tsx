import type { Activity } from '@trestle/contracts/activity'
import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { SERVICES } from '../testing/served.js'
import { ActivityFilters } from './activity-filters.js'
import ActivityPage from './activity-page.js'
import { NO_FILTER } from './activity-record.js'
import { ActivitySourceChoice } from './activity-source-choice.js'
import { ActivityTable, OutcomeTag } from './activity-table.js'
import { type ActivitySource, OWN_ACTIVITY } from './use-activity.js'

const KEY = ['accounts', 'events', '', '']
const ignore = () => undefined

function record({ id = 'event-1', method = 'POST', route = '/nodes', status = 201, service = 'nodes' } = {}): Activity {
  return {
    id,
    user: 'user-1',
    service,
    input: { method, route },
    output: { startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-01-01T00:00:00.020Z', httpStatusCode: status, bytesOut: 1500 },
    serviceData: {},
    createdAt: '2026-01-01T00:00:00.020Z',
  }
}

function page(...records: Activity[]) {
  const data = { pages: [{ rows: records, walk: undefined }], pageParams: [undefined] }
  return rendered(<ActivityPage />, { answers: [[KEY, data]] })
}

describe(ActivityPage, () => {
  it('shows that it loads, with nothing to download yet', () => {
    const loading = rendered(<ActivityPage />)
    expect(loading.has('aria-label="Loading"')).toBe(true)
    expect([loading.isEnabled('CSV'), loading.isEnabled('JSON')]).toEqual([false, false])
    expect(loading.text).not.toContain('No activity')
  })

  it('invites to make a call where nothing was done', () => {
    expect(page().all('h2')).toEqual(['No activity in this period'])
    expect(page().isEnabled('CSV')).toBe(false)
  })

  it('shows why the list could not be read', () => {
    const failed = rendered(<ActivityPage />, { failures: [[KEY, new Problem('unavailable', 'Away', 'The service is away.')]] })
    expect(failed.text).toContain('The service is away.')
    expect(failed.isEnabled('Try again')).toBe(true)
  })

  it('lists what was done, and offers it as files', () => {
    const full = page(record({ id: 'event-2' }), record({ method: 'DELETE', route: '/nodes/:id', status: 404 }))
    expect(full.rows.slice(1).map((row) => row.slice(1))).toEqual([
      ['nodes', 'POST /nodes', '201 succeeded', '20 ms', '1.5 kB', 'Details'],
      ['nodes', 'DELETE /nodes/:id', '404 refused', '20 ms', '1.5 kB', 'Details'],
    ])
    expect(full.text).toContain('2 loaded')
    expect([full.isEnabled('CSV'), full.isEnabled('JSON')]).toEqual([true, true])
  })

  it('hides reads of the list itself, and says how many records that leaves', () => {
    const own = record({ id: 'event-2', method: 'GET', route: '/users/me/events', service: 'accounts', status: 200 })
    const filtered = page(record(), own)
    expect(filtered.rows).toHaveLength(2)
    expect(filtered.text).toContain('1 of 2 loaded')
    expect(page(own).text).toContain('No loaded record matches.')
  })
})

describe('the activity of an organization', () => {
  const organization = (...permissions: string[]) => ({ id: 'org-1', name: 'Engines', permissions, roles: [] })
  const { localStorage } = globalThis
  beforeAll(() => Object.assign(globalThis, { localStorage: { getItem: () => 'org-1' } }))
  afterAll(() => Object.assign(globalThis, { localStorage }))
  const choice = (source: ActivitySource, ...organizations: object[]) =>
    rendered(<ActivitySourceChoice source={source} onChange={ignore} />, { answers: [[['accounts', 'organizations'], organizations]] })

  it('may be chosen by who may see it', () => {
    expect(choice(OWN_ACTIVITY, organization('activity:read')).text).toBe('Yours Engines')
    expect(choice(OWN_ACTIVITY, organization('organization:read')).text).toBe('')
    expect(choice(OWN_ACTIVITY).text).toBe('')
  })

  it('has only the changes at first, or reads and calls, too', () => {
    const of = (changes: boolean) => choice({ of: 'organization', id: 'org-1', changes }, organization('activity:read'))
    expect(of(true).input('Only changes')).toContain('checked=""')
    expect(of(false).input('Only changes')).not.toContain('checked=""')
  })

  it.each([
    [{ displayName: 'Ada', email: 'ada@example.org' }, 'Ada'],
    [{ displayName: 'Ada', email: 'ada@example.org', former: true as const }, 'Ada (left)'],
    [{ displayName: 'deployment', serviceAccount: true as const, clientKey: 'ci' }, 'deployment, key ci'],
    [{ former: true as const }, 'Deleted account'],
    [undefined, 'JSON-RPC calls'],
  ])('says of %j who it was', (by, who) => {
    const table = rendered(<ActivityTable rows={[{ ...record(), by }]} isShared onChoose={ignore} />)
    expect([table.rows[0]?.[1], table.rows[1]?.[1]]).toEqual(['Who', who])
  })
})

describe(ActivityTable, () => {
  it('names the call that each row gives details of', () => {
    const table = rendered(<ActivityTable rows={[record()]} onChoose={ignore} />)
    expect(table.isEnabled('Details of POST /nodes')).toBe(true)
  })

  it('loads more from an empty table too: the filters may hide a whole page', () => {
    const more = { load: ignore, loading: false }
    expect(rendered(<ActivityTable rows={[]} more={more} onChoose={ignore} />).isEnabled('Load more')).toBe(true)
    expect(rendered(<ActivityTable rows={[]} onChoose={ignore} />).isEnabled('Load more')).toBeUndefined()
  })
})

describe(OutcomeTag, () => {
  it.each([
    [200, '200 succeeded', 'teal'],
    [302, '302 succeeded', 'teal'],
    [400, '400 refused', 'orange'],
    [499, '499 refused', 'orange'],
    [500, '500 failed', 'red'],
    [503, '503 failed', 'red'],
  ])('of %i says "%s" in %s', (status, text, color) => {
    const tag = rendered(<OutcomeTag record={record({ status })} />)
    expect(tag.text).toBe(text)
    expect(tag.has(`--mantine-color-${color}-light`)).toBe(true)
  })
})

describe(ActivityFilters, () => {
  const filters = (filter = NO_FILTER, range = { from: '', to: '' }) =>
    rendered(<ActivityFilters range={range} onRange={ignore} filter={filter} onFilter={ignore} />)

  it('has a field for each filter', () => {
    const all = filters()
    for (const label of ['From', 'To', 'Service', 'Kind', 'Outcome', 'Search']) expect(all.input(label)).toBeDefined()
    expect(all.input('Kind')).toContain('value="All"')
    expect(all.input('Outcome')).toContain('value="Any"')
  })

  it('shows what is chosen', () => {
    const [{ name = '' } = {}] = SERVICES
    const chosen = filters({ area: name, kind: 'reads', status: 'failed', what: 'keys', own: true }, { from: '2026-01-01T00:00', to: '' })
    expect(chosen.input('Service')).toContain(`value="${name}"`)
    expect(chosen.input('Kind')).toContain('value="Reads"')
    expect(chosen.input('Outcome')).toContain('value="Failed (5xx)"')
    expect(chosen.input('Search')).toContain('value="keys"')
    expect(chosen.input('From')).toContain('value="2026-01-01T00:00"')
    expect(chosen.input('Include reads of this list')).toContain('checked=""')
  })
})
