import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { nodesTexts } from '../texts/nodes.js'
import { ChainStep } from './chain-step.js'
import { NewWorkloadPage } from './new-workload-page.js'
import { ReviewStep } from './review-step.js'
import { offersOf } from './services.js'
import { SizeStep } from './size-step.js'
import { FIRST_STEP, reduceWizard, type StepProps, type WorkloadForm } from './workload-form.js'

const ignore = () => undefined
const service = (change: object = {}) =>
  partial<CatalogueService>({
    id: 'ltc-regtest-standard',
    chain: 'ltc',
    network: 'regtest',
    vendor: { name: 'local', region: 'local' },
    metadata: { software: 'Litecoin Core 0.21', performance: 'standard', cpus: 1, memoryMiB: 1024, diskGiB: 10 },
    disabled: false,
    missing: null,
    ...change,
  })
const LITECOIN = service()
const BITCOIN = service({ id: 'btc-regtest-standard', chain: 'btc', missing: 'bitcoind is not installed' })

function step(kind: StepProps['kind'], change: Partial<WorkloadForm> = {}): StepProps {
  const offers = offersOf([LITECOIN, BITCOIN])
  const offer = offers.find(({ chain }) => chain === 'ltc')!
  const { form } = reduceWizard(FIRST_STEP, { type: 'chose offer', offer })
  return { kind, offers, form: { ...form, ...change }, dispatch: ignore }
}

describe(NewWorkloadPage, () => {
  const wizard = (kind: 'node' | 'cluster', ...services: readonly CatalogueService[]) =>
    rendered(<NewWorkloadPage kind={kind} />, { answers: [[['nodes', 'services', kind], services]] })

  it.each([
    ['node', 'Create a node', '/app/nodes'],
    ['cluster', 'Create a cluster', '/app/clusters'],
  ] as const)('for a %s is titled "%s", below its list', (kind, title, list) => {
    const page = wizard(kind, LITECOIN)
    expect(page.all('h1')).toEqual([title])
    expect(Object.values(page.links)).toContain(list)
  })

  it('continues only once a chain is chosen', () => {
    expect(wizard('node', LITECOIN).isEnabled('Next')).toBe(false)
  })

  it('says that nothing can be created where all software is missing', () => {
    expect(wizard('node', BITCOIN).all('h2')).toEqual(['Nothing can be created here'])
    expect(wizard('node').all('h2')).toEqual(['Nothing can be created here'])
  })

  it('shows what is available before what is not', () => {
    const { text } = wizard('node', BITCOIN, LITECOIN)
    expect(text.indexOf('Litecoin')).toBeLessThan(text.indexOf('Bitcoin'))
  })

  it('shows why the catalogue could not be read', () => {
    const failures = [[['nodes', 'services', 'node'], new Problem('unavailable', 'Away', 'The service is away.')]] as const
    const page = rendered(<NewWorkloadPage kind="node" />, { failures })
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Next')).toBeUndefined()
  })
})

describe(ChainStep, () => {
  it('disables a chain whose software is missing, and says so', () => {
    const page = rendered(<ChainStep {...step('node')} />)
    expect(page.text).toContain('Not available here: bitcoind is not installed')
    expect(page.html.match(/<button[^>]*disabled=""/g)).toHaveLength(1)
  })
})

describe(SizeStep, () => {
  const { auths, openToAll } = nodesTexts.wizard

  it('describes each size', () => {
    expect(rendered(<SizeStep {...step('node')} />).text).toContain('1 CPU · 1 GiB memory · 10 GiB disk')
  })

  it('lets only a cluster do without credentials', () => {
    expect(rendered(<SizeStep {...step('node')} />).text).not.toContain(auths.none.label)
    expect(rendered(<SizeStep {...step('cluster')} />).text).toContain(auths.none.label)
  })

  it('asks only for a cluster how many nodes it has', () => {
    expect(rendered(<SizeStep {...step('node')} />).input('Number of nodes')).toBeUndefined()
    expect(rendered(<SizeStep {...step('cluster', { capacity: 3 })} />).input('Number of nodes')).toContain('value="3"')
  })

  it.each([
    [{ alias: 'Not an alias' }, 'Name'],
    [{ capacity: 11 }, 'Number of nodes'],
    [{ allowedIps: '300.1.1.1' }, 'Allowed addresses'],
  ])('marks the field that %j makes wrong', (change, label) => {
    expect(rendered(<SizeStep {...step('cluster', change)} />).input(label)).toContain('aria-invalid="true"')
    expect(rendered(<SizeStep {...step('cluster')} />).input(label)).not.toContain('aria-invalid="true"')
  })

  it.each([
    [{ authType: 'none', allowedIps: '' }, true],
    [{ authType: 'none', allowedIps: '192.0.2.1' }, false],
    [{ authType: 'basic', allowedIps: '' }, false],
  ] as const)('with %j warns that anyone can call it: %s', (change, warns) => {
    expect(rendered(<SizeStep {...step('cluster', change)} />).text.includes(openToAll)).toBe(warns)
  })
})

describe(ReviewStep, () => {
  const review = (kind: StepProps['kind'], change: Partial<WorkloadForm> = {}, held = 1) =>
    rendered(<ReviewStep {...step(kind, change)} idempotencyKey="key" back={ignore} />, {
      answers: [
        [['nodes', 'plan'], { nodes: 2, clusters: 2 }],
        [['nodes', kind, 'list'], Array.from({ length: held }, () => ({}))],
      ],
    })

  it('names what was chosen', () => {
    const page = review('node', { allowedIps: '192.0.2.1\n10.0.0.0/8' })
    expect(page.all('dd')).toEqual(
      expect.arrayContaining(['Litecoin · regtest', 'Litecoin Core 0.21', 'User and password', '192.0.2.1, 10.0.0.0/8']),
    )
    expect(page.isEnabled('Create')).toBe(true)
    expect(page.isEnabled('Back')).toBe(true)
  })

  it('names size and name of a cluster only', () => {
    expect(review('cluster', { capacity: 4, alias: 'main' }).all('dd')).toEqual(expect.arrayContaining(['4', 'main']))
    expect(review('node', { capacity: 4, alias: 'main' }).all('dt')).not.toContain('Number of nodes')
  })

  it.each([
    [0, 'room for 2 more nodes'],
    [1, 'room for 1 more node.'],
    [2, 'room for 0 more nodes'],
    [3, 'room for 0 more nodes'],
  ])('with %i of 2 held says "%s"', (held, expected) => {
    expect(review('node', {}, held).text).toContain(expected)
  })
})
