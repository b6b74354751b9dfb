import { readFileSync } from 'node:fs'
import { accounts } from '@trestle/contracts/accounts/api'
import { ROLES } from '@trestle/contracts/accounts/organizations'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { type Access, credentialsOf, type EndpointSpec } from '@trestle/contracts/endpoint'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { ALL_PERMISSIONS, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { staking } from '@trestle/contracts/staking/api'
import { Problem } from '@trestle/problem/problem'
import { Authenticator, type TokenAccess } from '../src/authenticator.js'
import { Memberships } from '../src/memberships.js'
import { TestIssuer } from './issuer.js'
import { startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const SHARED = 'org-00000000-0000-4000-8000-000000000099'
// The table for people is the expectation of the test: what a role may do is written twice, on purpose.
const MATRIX = matrixOf(readFileSync(new URL('../../../docs/accounts.md', import.meta.url), 'utf8'))

const groups: Record<string, EndpointSpec>[] = [accounts, staking, nodesArea, btcConnect, ethRpc].flatMap((area) => Object.values(area))
const endpoints = groups.flatMap((group) => Object.values(group)).map(({ method, path, access }) => ({ name: `${method} ${path}`, access }))
const guarded = endpoints.flatMap(({ name, access }) => (isGuarded(access) ? [{ name, access }] : []))

const stand = new FakeAccounts(new TestIssuer())
let service: TestService
beforeAll(async () => {
  service = await startService(stand.options(), noMessaging())
  ROLES.forEach((role, index) => {
    const permissions = [...ROLE_PERMISSIONS[role]]
    stand.memberships.push({ userId: userOf(index), organizationId: SHARED, permissions, version: 1, changedAt: new Date().toISOString() })
  })
  await service.app.get(Memberships).poll()
})
afterAll(() => service.stop())

describe('docs/accounts.md', () => {
  it('has every role and every permission', () => {
    expect([...MATRIX.keys()]).toEqual(ROLES)
    for (const permissions of MATRIX.values()) expect([...permissions.keys()]).toEqual(ALL_PERMISSIONS)
  })
})

describe.each(ROLES.map((role, index) => [role, index] as const))('%s', (role, index) => {
  const may = (access: TokenAccess) =>
    typeof access === 'string' || Boolean(access.organization) || MATRIX.get(role)?.get(access.permission)

  it('is admitted in person to the endpoints that its permissions open, and to no other', async () => {
    const token = stand.issuer.account({ payload: { sub: userOf(index) } })
    const expected = guarded.map(({ name, access }) => {
      if (access === 'manager') return [name, 'NotManager']
      return [name, may(access) ? 'admitted' : 'MissingPermission']
    })
    expect(await outcomes(token)).toEqual(expected)
  })

  it('is admitted by a key of every area to those of them that take keys', async () => {
    const token = stand.issuer.client({ payload: { sub: userOf(index), org: SHARED } })
    const expected = guarded.map(({ name, access }) => {
      if (credentialsOf(access) !== 'client') return [name, 'InvalidToken']
      return [name, may(access) ? 'admitted' : 'MissingPermission']
    })
    expect(await outcomes(token)).toEqual(expected)
  })
})

it('a stranger is admitted to no endpoint in the organization', async () => {
  const outcome = await outcomes(stand.issuer.account())
  expect(outcome.filter(([, code]) => code !== 'UnknownOrganization' && code !== 'NotManager')).toEqual([])
})

function outcomes(token: string): Promise<[string, string][]> {
  const rawHeaders = ['Authorization', `Bearer ${token}`, 'Trestle-Organization', SHARED]
  const headers = { authorization: rawHeaders[1], 'trestle-organization': SHARED }
  const request = { raw: { headers, rawHeaders, url: '/' } }
  const authenticator = service.app.get(Authenticator)
  return Promise.all(
    guarded.map(async ({ name, access }): Promise<[string, string]> => {
      try {
        await authenticator.authenticate(request as never, access)
        return [name, 'admitted']
      } catch (error) {
        if (error instanceof Problem) return [name, error.code]
        throw error
      }
    }),
  )
}

function isGuarded(access: Access): access is TokenAccess {
  return access !== 'public' && access !== 'basic'
}

function userOf(index: number): string {
  return `user-00000000-0000-4000-8000-00000000000${index}`
}

/** What each role may do, by permission, as a table of the page has it. */
function matrixOf(page: string): Map<string, Map<string, boolean>> {
  const rows = [...page.matchAll(/^\| (`[a-z]+:[a-z]+`|permission) \|(.*)\|$/gm)].map(([, name = '', rest = '']) => ({
    name,
    cells: rest.split('|'),
  }))
  const [head, ...permissions] = rows
  const roles = (head?.cells ?? []).map((cell) => cell.trim().replaceAll('`', '')).filter(Boolean)
  return new Map(
    roles.map((role, column) => [
      role,
      new Map(permissions.map(({ name, cells }) => [name.replaceAll('`', ''), cells[column]?.trim() === '✓'])),
    ]),
  )
}
