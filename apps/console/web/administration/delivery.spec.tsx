import { MAX_COUNTED_WAITING } from '@trestle/contracts/delivery'
import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { CHAINS_ANSWER, SERVICES } from '../testing/served.js'
import { CataloguePanel } from './catalogue.js'
import { DeliveryPanel } from './delivery.js'
import { ServicesPanel } from './services.js'
import { deliveryOf, keyOfDelivery } from './use-delivery.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const ALL = SERVICES.map(({ name }) => name)
type Answer = readonly [key: readonly unknown[], data: unknown]
const SESSION: Answer = [['session'], { signedIn: true, manager: true }]

/** These services are up, the others are not deployed. */
function healths(...up: string[]): Answer[] {
  return ALL.map((name) => [['platform', 'health', name], { name, state: up.includes(name) ? 'up' : 'absent' }])
}

function letter(id: string, givenUpAt: string, fact = 'user.disabled') {
  return { id, fact, consumer: 'nodes', attempts: 5, givenUpAt, error: `failed ${id}`, content: '{}' }
}

describe(DeliveryPanel, () => {
  const empty = { outbox: { waiting: 0, next: [] }, letters: [] }
  const panel = (answers: readonly Answer[], failures: readonly (readonly [readonly unknown[], Error])[] = []) =>
    rendered(<DeliveryPanel />, { answers: [SESSION, CHAINS_ANSWER, ...healths('accounts', 'nodes'), ...answers], failures })

  it('claims nothing while services have not answered', () => {
    const page = panel([])
    expect(page.text).toContain('Loading…')
    expect(page.text).not.toContain('No dead letters')
  })

  it('says that there are none once every service has answered', () => {
    const page = panel([
      [keyOfDelivery('accounts'), empty],
      [keyOfDelivery('nodes'), empty],
    ])
    expect(page.text).toContain('No dead letters.')
    expect(page.isEnabled('Retry all')).toBeUndefined()
  })

  it('names a service that could not be asked, and answers only for the others', () => {
    const page = panel([[keyOfDelivery('accounts'), empty]], [[keyOfDelivery('nodes'), new Problem('unavailable', 'Away', 'It is away.')]])
    expect(page.text).toContain('nodes: It is away.')
    expect(page.text).toContain('No dead letters in the other services.')
  })

  it('lists dead letters of all services, the newest first', () => {
    const page = panel([
      [keyOfDelivery('accounts'), { ...empty, letters: [letter('one', '2026-03-01T10:00:00.000Z')] }],
      [keyOfDelivery('nodes'), { ...empty, letters: [letter('two', '2026-03-01T11:00:00.000Z', 'node.stopped')] }],
    ])
    expect(page.rows.slice(1, 3).map((row) => row.slice(0, 3))).toEqual([
      ['nodes', 'node.stopped', 'failed two'],
      ['accounts', 'user.disabled', 'failed one'],
    ])
    expect(page.isEnabled('Retry all')).toBe(true)
    expect(page.isEnabled('Open node.stopped')).toBe(true)
  })

  it('retries a single letter by itself only', () => {
    const page = panel([[keyOfDelivery('accounts'), { ...empty, letters: [letter('one', SINCE)] }]])
    expect(page.isEnabled('Retry all')).toBeUndefined()
    expect(page.isEnabled('Open user.disabled')).toBe(true)
  })

  it.each([
    [0, '0'],
    [3, '3'],
    [MAX_COUNTED_WAITING, `${MAX_COUNTED_WAITING} or more`],
  ])('shows %i waiting events as "%s", and each kind of event once', (waiting, expected) => {
    const next = ['user.disabled', 'user.disabled', 'user.enabled'].map((fact) => ({ fact, createdAt: SINCE }))
    const page = panel([[keyOfDelivery('accounts'), { outbox: { waiting, next }, letters: [] }]])
    const row = page.rows.find(([name]) => name === 'accounts')
    expect([row?.[1], row?.[3]]).toEqual([expected, 'user.disabled, user.enabled'])
  })

  it('asks no service for a user who is no administrator', () => {
    const page = rendered(<DeliveryPanel />, {
      answers: [[['session'], { signedIn: true, manager: false }], ...healths('accounts'), [keyOfDelivery('accounts'), empty]],
    })
    expect(page.rows.some(([name]) => name === 'accounts')).toBe(false)
  })
})

describe(deliveryOf, () => {
  it('has calls for every service, of a chain too', () => {
    for (const service of SERVICES)
      for (const call of ['outbox', 'deadLetters', 'retry', 'discard']) expect(deliveryOf(service)).toHaveProperty(call)
  })
})

describe(ServicesPanel, () => {
  it.each([
    [{ state: 'up', latencyMs: 12.4, version: '1.2.3' }, ['up', '12 ms', '1.2.3', '']],
    [{ state: 'up', latencyMs: 0.2 }, ['up', '1 ms', '–', '']],
    [{ state: 'down', reason: 'It does not answer.' }, ['down', '–', '–', 'It does not answer.']],
    [{ state: 'absent', reason: 'Not deployed here.' }, ['not deployed', '–', '–', 'Not deployed here.']],
    [{}, ['checking…', '–', '–', '']],
  ])('shows %j as %j', (health, expected) => {
    const page = rendered(<ServicesPanel />, { answers: [[['platform', 'health', 'nodes'], { name: 'nodes', ...health }]] })
    expect(page.rows.find(([name]) => name === 'nodes')?.slice(1)).toEqual(expected)
  })

  it('has a row for every service', () => {
    expect(
      rendered(<ServicesPanel />, { answers: [CHAINS_ANSWER] })
        .rows.slice(1)
        .map(([name]) => name),
    ).toEqual(ALL)
  })
})

describe(CataloguePanel, () => {
  const service = {
    id: 'ltc-regtest-standard',
    chain: 'ltc',
    network: 'regtest',
    vendor: { name: 'local', region: 'local' },
    metadata: {
      software: 'Litecoin Core 0.21',
      performance: 'standard',
      cpus: 1,
      memoryMiB: 1024,
      diskGiB: 10,
      verifiedAt: '2026-03-01',
    },
    disabled: false,
    missing: null,
  }
  const catalogue = (change: object = {}) =>
    rendered(<CataloguePanel />, { answers: [[['nodes', 'services'], [{ ...service, ...change }]]] })

  it('describes an entry in one row', () => {
    expect(catalogue().rows[1]).toEqual([
      'Litecoin Core 0.21',
      'ltc regtest',
      '1 CPU, 1.1 GB, 10.7 GB disk',
      'local',
      '2026-03-01',
      'enabled',
      'Disable',
    ])
  })

  it.each([
    [{}, 'enabled', 'Disable'],
    [{ disabled: true }, 'disabled', 'Enable'],
    [{ missing: 'litecoind is not installed' }, 'unavailable', 'Disable'],
    [{ disabled: true, missing: 'litecoind is not installed' }, 'disabled', 'Enable'],
  ])('of %j is %s, and offers to %s it', (change, state, action) => {
    const page = catalogue(change)
    expect(page.rows[1]?.slice(-2)).toEqual([state, action])
    expect(page.isEnabled(`${action} Litecoin Core 0.21, ltc, standard`)).toBe(true)
  })

  it('names vendor and region where they differ', () => {
    expect(catalogue({ vendor: { name: 'aws', region: 'eu-west-2' } }).rows[1]?.[3]).toBe('aws eu-west-2')
  })
})
