import { accounts } from '../src/accounts/api.js'
import { btcConnect } from '../src/btc-connect/api.js'
import { type Access, credentialsOf, type EndpointSpec } from '../src/endpoint.js'
import { ethRpc } from '../src/eth-rpc/api.js'
import { nodesArea } from '../src/nodes/api.js'
import { ALL_PERMISSIONS } from '../src/permissions.js'
import { staking } from '../src/staking/api.js'

const AREAS: Readonly<Record<string, Record<string, Record<string, EndpointSpec>>>> = {
  accounts,
  staking,
  nodes: nodesArea,
  'btc-connect': btcConnect,
  'eth-rpc': ethRpc,
}

/** What is about the caller alone, or about no organization: `area.group` or `area.group.name`, and why no permission is needed. */
const WITHOUT_PERMISSION: Readonly<Record<string, string>> = {
  'accounts.users': "the caller's own account",
  'accounts.emailChanges': "the caller's own address",
  'accounts.dataExport': "the caller's own data",
  'accounts.accountDeletion': "the caller's own account",
  'accounts.secondFactors': "the caller's own second factors",
  'accounts.identityProviders.stepUp': "the caller's own session",
  'accounts.identities': "the caller's own identities",
  'accounts.deviceLogins': 'who decides signs in as themselves',
  'eth-rpc.limits.mine': "the caller's own maximum",
  'accounts.sessions': "the caller's own sessions",
  'accounts.events.list': "the caller's own activity",
  'accounts.organizations.create': 'who creates it becomes its owner',
  'accounts.organizations.list': "the caller's own organizations",
  'accounts.organizations.accept': 'the token of the invitation permits it',
}

const endpoints = Object.entries(AREAS).flatMap(([area, groups]) =>
  Object.entries(groups).flatMap(([group, named]) =>
    Object.entries(named).map(([name, spec]) => ({ name: `${area}.${group}.${name}`, group: `${area}.${group}`, spec })),
  ),
)
const ofOrganizations = endpoints.filter(({ spec: { access } }) => typeof access === 'object')

describe('every endpoint', () => {
  it('names a permission, or is about the caller alone, for a reason', () => {
    const holes = endpoints.filter(({ name, group, spec: { access } }) => needsReason(access) && !reasonOf(name, group))
    expect(holes.map(({ name }) => name)).toEqual([])
  })

  it('has a reason only where it names no permission', () => {
    const needed = endpoints.filter(({ spec: { access } }) => needsReason(access)).flatMap(({ name, group }) => [name, group])
    expect(Object.keys(WITHOUT_PERMISSION).filter((name) => !needed.includes(name))).toEqual([])
  })

  it('has its organization in the path, or chooses it: never both', () => {
    const inPath = ofOrganizations.filter(({ spec }) => spec.path.startsWith('/organizations/{id}')).map(({ name }) => name)
    const handled = ofOrganizations.filter(({ spec: { access } }) => typeof access === 'object' && access.organization === 'path')
    expect(handled.map(({ name }) => name)).toEqual(inPath)
  })

  it('changes something only for who may do more than see it', () => {
    const changing = ofOrganizations.filter(({ spec: { method, access } }) => method !== 'GET' && permissionOf(access).endsWith(':read'))
    // They ask much at once, or what no URL should have, and change nothing. An approval is asked for and given with the permission that it names.
    expect(changing.map(({ name }) => name).filter((name) => !/\.(raw|addresses|wallets)\.|^accounts\.approvals\./.test(name))).toEqual([])
  })
})

describe('every permission', () => {
  it('is needed by an endpoint, or by what is called by its own id', () => {
    const needed = new Set(ofOrganizations.map(({ spec: { access } }) => permissionOf(access)))
    expect(ALL_PERMISSIONS.filter((permission) => !needed.has(permission))).toEqual(['nodes:call', 'eth:call'])
  })
})

function needsReason(access: Access): boolean {
  const credentials = credentialsOf(access)
  return typeof access === 'string' && (credentials === 'account' || credentials === 'client')
}

function reasonOf(name: string, group: string): string | undefined {
  return WITHOUT_PERMISSION[name] ?? WITHOUT_PERMISSION[group]
}

function permissionOf(access: Access): string {
  return typeof access === 'object' ? access.permission : ''
}
