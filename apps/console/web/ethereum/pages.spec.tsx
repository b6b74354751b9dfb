import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { CHAINS_ANSWER } from '../testing/served.js'
import { FormProblem } from './form-problem.js'
import { NewProjectPage } from './new-project-page.js'
import { ProjectConnect } from './project-connect.js'
import { ProjectFields } from './project-fields.js'
import { projectForm } from './project-form.js'
import { ProjectPage } from './project-page.js'
import { ProjectSettingsForm } from './project-settings.js'
import { ProjectsPage } from './projects-page.js'
import { UsageTab } from './usage-tab.js'
import { MethodTable } from './usage-table.js'

const context = 'eth'
const SINCE = '2026-03-01T12:00:00.000Z'
const PROJECT = partial<Project>({
  id: 'p'.repeat(32),
  name: 'wallet',
  url: 'https://trestle.example/eth/v1/secret',
  requireToken: false,
  allowedOrigins: [],
  allowedIps: [],
  allowedMethods: [],
  allowedContracts: [],
  limits: { perSecond: 1200, perDay: 50_000_000 },
  createdAt: SINCE,
})
const withChange = (change: object): Project => ({ ...PROJECT, ...change })
const ignore = () => undefined

describe(ProjectsPage, () => {
  const list = ['ethereum', 'projects', 'eth']
  const projects = (...rows: readonly Project[]) => rendered(<ProjectsPage />, { context, answers: [[list, rows]] })

  it('invites to create the first project', () => {
    const page = projects()
    expect(page.all('h2')).toEqual(['No projects yet'])
    expect(Object.values(page.links)).toEqual(expect.arrayContaining(['/app/ethereum/eth/new', '/app/ethereum/eth/playground']))
  })

  it('lists projects with their limits, and a link to each', () => {
    const page = projects(PROJECT)
    expect(page.rows[1]?.slice(0, 3)).toEqual(['wallet', 'Anyone with the URL', '1,200 CU/s'])
    expect(page.links['wallet']).toBe(`/app/ethereum/eth/projects/${PROJECT.id}`)
  })

  it.each([
    [{ requireToken: true }, 'Token required'],
    [{ allowedOrigins: ['https://app.example'] }, 'some origins'],
    [{ allowedIps: ['192.0.2.1'] }, 'some IP addresses'],
    [{ allowedMethods: ['eth_call'], allowedContracts: ['0x00'] }, 'some methods, some contracts'],
    [{ requireToken: true, allowedOrigins: ['https://app.example'] }, 'Token required, some origins'],
  ])('says of %j who may call: %s', (change, expected) => {
    expect(projects(withChange(change)).rows[1]?.[1]).toBe(expected)
  })

  it('shows why projects could not be read', () => {
    const failures = [[list, new Problem('unavailable', 'Away', 'The service is away.')]] as const
    const page = rendered(<ProjectsPage />, { context, failures })
    expect(page.text).toContain('The service is away.')
    expect(page.text).not.toContain('No projects yet')
  })
})

describe(ProjectPage, () => {
  const at = `/projects/${PROJECT.id}`
  const route = '/projects/:id/:tab?'

  it('has tabs, the connection first', () => {
    const page = rendered(<ProjectPage />, { context, at, route, answers: [[['ethereum', 'project', 'eth', PROJECT.id], PROJECT]] })
    expect(page.all('h1')).toEqual(['wallet'])
    for (const tab of ['Connect', 'Keys', 'Usage', 'Errors', 'Limits and access']) expect(page.text).toContain(tab)
    expect(page.text).toContain(PROJECT.url)
  })

  it('is titled without a name until there is one', () => {
    expect(rendered(<ProjectPage />, { context, at, route }).all('h1')).toEqual(['Project'])
  })
})

describe(ProjectConnect, () => {
  const connect = (change: object = {}) => rendered(<ProjectConnect project={withChange(change)} />, { context })

  it('shows both addresses, and treats them like a password', () => {
    const page = connect()
    expect(page.all('dd').join()).toContain('wss://trestle.example/eth/v1/secret')
    expect(page.text).toContain('Treat it like a password.')
    expect(page.links['Client keys']).toBeUndefined()
  })

  it('says where a token comes from, where one is needed', () => {
    const page = connect({ requireToken: true })
    expect(page.text).toContain('Calls also need one of your bearer tokens.')
    expect(page.links['Client keys']).toBe('/app/keys')
  })

  it('warns while a previous URL still works', () => {
    expect(connect({ formerIdUntil: SINCE }).text).toContain('The previous URL works until')
    expect(connect().text).not.toContain('The previous URL')
  })
})

describe(ProjectFields, () => {
  const fields = (change: object = {}, mistakes: object = {}) =>
    rendered(<ProjectFields form={{ ...projectForm(PROJECT), ...change }} mistakes={mistakes} dispatch={ignore} />)

  it('shows the settings of the project', () => {
    const page = fields({ requireToken: true })
    expect(page.input('Name')).toContain('value="wallet"')
    expect(page.input('CU per second')).toContain('value="1,200"')
    expect(page.input('Require a token')).toContain('checked=""')
    expect(page.input('Nodes asked')).not.toContain('value="3"')
  })

  it('shows the quorum of the project', () => {
    const page = fields({ agreeing: 2, nodes: 3, methods: ['eth_call'], byHeader: true })
    expect(page.input('Nodes that must agree')).toContain('value="2"')
    expect(page.input('Nodes asked')).toContain('value="3"')
    expect(page.input('Let calls ask for a quorum')).toContain('checked=""')
    expect(page.text).toContain('eth_call')
  })

  it('says how high the limits may be set, once that is known', () => {
    const form = (
      <ProjectFields form={projectForm(PROJECT)} mistakes={{}} dispatch={ignore} max={{ perSecond: 50_000, perDay: 1_000_000_000 }} />
    )
    expect(rendered(form).text).toContain('You can set up to 50,000 per second and 1,000,000,000 per day')
    expect(fields().text).not.toContain('You can set up to')
  })

  it('shows each mistake at its field', () => {
    const page = fields({}, { name: 'Required.', perDay: 'Too many.', allowedIps: 'Not an address.' })
    for (const mistake of ['Required.', 'Too many.', 'Not an address.']) expect(page.text).toContain(mistake)
    for (const label of ['Name', 'CU per day']) expect(page.input(label)).toContain('aria-invalid="true"')
    expect(page.input('CU per second')).not.toContain('aria-invalid="true"')
  })

  it('gives an example only in an empty list', () => {
    expect(fields().has('placeholder="https://app.example"')).toBe(true)
    expect(fields({ allowedOrigins: ['https://a.example'] }).has('placeholder="https://app.example"')).toBe(false)
  })
})

describe(FormProblem, () => {
  const problem = new Problem('conflict', 'NameTaken', 'This name is taken.')

  it.each([
    ['nothing without an error', null, {}, ''],
    ['the problem where no field shows it', problem, {}, 'This name is taken.'],
    ['where to look, with one mistake', problem, { name: 'taken' }, 'Correct the field above.'],
    ['how many fields are wrong', problem, { name: 'taken', perDay: 'many' }, 'Correct the 2 fields above.'],
  ])('says %s', (_title, error, mistakes, expected) => {
    expect(rendered(<FormProblem error={error} mistakes={mistakes} />).text).toBe(expected)
  })
})

describe(NewProjectPage, () => {
  it('calls a chain without a record as the platform does', () => {
    const page = rendered(<NewProjectPage />, { context: 'mychain', answers: [CHAINS_ANSWER] })
    expect(page.text).toContain('Your own URL for My Chain.')
    expect(page.links['My Chain']).toBe('/app/ethereum/mychain')
  })

  it('needs a name, and nothing else', () => {
    const page = rendered(<NewProjectPage />, { context })
    expect(page.isEnabled('Create project')).toBe(false)
    expect(page.links['Cancel']).toBe('/app/ethereum/eth')
  })
})

describe(ProjectSettingsForm, () => {
  it('saves, changes the URL, and deletes', () => {
    const page = rendered(<ProjectSettingsForm project={PROJECT} />, { context })
    for (const action of ['Save', 'Change URL', 'Delete']) expect(page.isEnabled(action)).toBe(true)
    expect(page.all('h2')).toEqual(['Change the URL', 'Give to another organization', 'Delete project'])
  })
})

describe('usage of a project', () => {
  const entry = (method: string, calls: number, errors: number, counts: readonly number[] = []) => ({
    time: SINCE,
    method,
    calls,
    errors,
    computeUnits: calls * 10,
    bytesOut: 1500,
    cacheHits: calls / 4,
    latency: { counts: [...counts] },
  })
  const usageTab = (...usage: object[]) =>
    rendered(<UsageTab project={PROJECT} />, {
      context,
      answers: [
        [['ethereum', 'usage', 'eth', PROJECT.id, 'day'], { from: SINCE, to: '2026-03-01T15:00:00.000Z', granularity: 'hour', usage }],
      ],
    })

  it('says how to make the first call', () => {
    expect(usageTab().all('h2')).toEqual(['No calls in this period'])
  })

  it('adds up what was called', () => {
    const { text } = usageTab(entry('eth_call', 1000, 10), entry('eth_blockNumber', 1000, 0))
    expect(text).toContain('Calls 2,000')
    expect(text).toContain('Errors 10 (0.5 %)')
    expect(text).toContain('Compute units 20,000')
    expect(text).toContain('Cache hits 25 %')
    expect(text).toContain('Sent 3 kB')
    expect(text).toContain('Latency (p95) –')
  })

  it('draws a chart of each figure', () => {
    const page = usageTab(entry('eth_call', 4, 1, [4]))
    for (const title of ['Calls and errors', 'Compute units', 'Cache hit rate', 'Latency', 'Data sent']) expect(page.text).toContain(title)
  })

  it('has a row for each method, the most called first', () => {
    const usage = [entry('eth_call', 4, 1), entry('eth_blockNumber', 8, 0), entry('eth_call', 8, 0)]
    const page = rendered(<MethodTable usage={usage as unknown as Parameters<typeof MethodTable>[0]['usage']} />)
    expect(page.rows.slice(1).map((row) => row.slice(0, 5))).toEqual([
      ['eth_call', '12', '1', '120', '25 %'],
      ['eth_blockNumber', '8', '0', '80', '25 %'],
    ])
  })
})
