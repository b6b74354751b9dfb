import { accounts } from './accounts/api.js'
import { auditOf, type EndpointSpec } from './endpoint.js'
import { ethRpc } from './eth-rpc/api.js'
import { nodesArea } from './nodes/api.js'
import { SecurityEventKind } from './security-event.js'
import { staking } from './staking/api.js'

const ENDPOINTS = [accounts, staking, nodesArea, ethRpc].flatMap((area) =>
  Object.values(area).flatMap((group) => Object.values<EndpointSpec>(group)),
)

describe('the kinds of security events', () => {
  it('has no kind that no endpoint declares', () => {
    const declared = new Set([...ENDPOINTS.map(auditOf), 'signing-key-compromised'])
    expect(SecurityEventKind.options.filter((kind) => !declared.has(kind))).toEqual([])
  })
})

describe(auditOf, () => {
  it('covers every change that an administrator can make', () => {
    const changes = ENDPOINTS.filter(({ access, method }) => access === 'manager' && method !== 'GET')
    expect(changes.length).toBeGreaterThan(10)
    expect(changes.filter((endpoint) => !auditOf(endpoint))).toEqual([])
  })

  it('knows what goes to another organization', () => {
    const transfers = ENDPOINTS.filter(({ path }) => path.endsWith('}/organization'))
    expect(transfers.map(({ path, method }) => [method, path])).toEqual([
      ['PUT', '/staking/ethereum/{chain}/validators/{pubkey}/organization'],
      ['PUT', '/users/me/nodes/{id}/organization'],
      ['PUT', '/users/me/clusters/{id}/organization'],
      ['PUT', '/projects/{projectId}/organization'],
    ])
    expect(new Set(transfers.map(auditOf))).toEqual(new Set(['ownership-transferred']))
  })

  it('leaves out what changes nothing', () => {
    expect(ENDPOINTS.filter((endpoint) => endpoint.method === 'GET' && auditOf(endpoint))).toEqual([])
  })
})
