import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { ProjectFields } from './project-fields.js'
import { projectForm } from './project-form.js'

const PROJECT = partial<Project>({
  ...{ name: 'wallet', requireToken: false, limits: { perSecond: 1200, perDay: 50_000_000 } },
  ...{ allowedOrigins: [], allowedIps: [], allowedMethods: [], allowedContracts: [] },
})
const ignore = () => undefined
const fields = (change: object = {}) =>
  rendered(<ProjectFields form={{ ...projectForm(PROJECT), ...change }} mistakes={{}} dispatch={ignore} />)

describe(ProjectFields, () => {
  it('shows the limits of calls', () => {
    const page = fields({ perAddress: 20, perSender: 3, methodLimits: ['eth_getLogs=5'] })
    expect(page.input('Calls per second from one address')).toContain('value="20"')
    expect(page.input('Transactions per minute from one sender')).toContain('value="3"')
    expect(page.text).toContain('eth_getLogs=5')
  })

  it('offers the namespaces that were granted, and shows those of the project', () => {
    const max = { perSecond: 1, perDay: 1, namespaces: ['debug', 'txpool'] }
    const form = { ...projectForm(PROJECT), namespaces: ['debug', 'trace'] }
    const page = rendered(<ProjectFields form={form} mistakes={{}} dispatch={ignore} max={max} />)
    expect(page.input('debug')).toContain('checked=""')
    expect(page.input('txpool')).not.toContain('checked=""')
    expect(page.text).toContain('not granted any more')
    expect(page.text).not.toContain('Otterscan')
  })

  it('says nothing of namespaces to whom none was granted', () => {
    expect(fields().text).not.toContain('Further methods')
  })

  it('asks for an identity provider where a token is required', () => {
    const provider = { jwksUrl: 'https://id.example/keys', issuer: 'https://id.example', audience: 'app', perCaller: 5 }
    const page = fields({ requireToken: true, ...provider })
    expect(page.input('URL of the key set (JWKS)')).toContain('value="https://id.example/keys"')
    expect(page.input('Calls per second of one user')).toContain('value="5"')
    expect(page.input('Audience')).not.toContain('disabled=""')
    expect(fields().input('Audience')).toContain('disabled=""')
  })
})
