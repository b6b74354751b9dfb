import { organizations } from './accounts/organizations.js'
import { APPROVABLE_ENDPOINTS, approvableCall } from './approvable-call.js'
import { nodes } from './nodes/nodes.js'
import { validators } from './staking/validators.js'

const NODE = 'node-00000000-0000-4000-8000-000000000001'
const PUBKEY = 'ab'.repeat(48)

describe('an endpoint that an organization may put under four eyes', () => {
  it('is each that exits, redirects fees, deletes, or changes who may do what, and no other', () => {
    expect(
      APPROVABLE_ENDPOINTS.map(({ area, endpoint, permission }) => `${area} ${endpoint.method} ${endpoint.path}: ${permission}`).sort(),
    ).toEqual([
      'accounts DELETE /organizations/{id}/invitations/{invitationId}: members:write',
      'accounts DELETE /organizations/{id}/members/{userId}: members:write',
      'accounts DELETE /organizations/{id}/roles/{name}: members:write',
      'accounts POST /organizations/{id}/invitations: members:write',
      'accounts POST /organizations/{id}/service-accounts: members:write',
      'accounts PUT /organizations/{id}/members/{userId}: members:write',
      'accounts PUT /organizations/{id}/policy: members:write',
      'accounts PUT /organizations/{id}/roles/{name}: members:write',
      'nodes DELETE /users/me/clusters/{id}: nodes:delete',
      'nodes DELETE /users/me/nodes/{id}: nodes:delete',
      'nodes POST /users/me/clusters/{id}/restore: nodes:delete',
      'nodes POST /users/me/nodes/{id}/restore: nodes:delete',
      'nodes PUT /users/me/clusters/{id}/organization: nodes:delete',
      'nodes PUT /users/me/nodes/{id}/organization: nodes:delete',
      'staking DELETE /staking/ethereum/{chain}/validators/{pubkey}: staking:delete',
      'staking POST /staking/ethereum/{chain}/validators/{pubkey}/restore: staking:delete',
      'staking POST /staking/ethereum/{chain}/validators/{pubkey}/validatorExit: staking:exit',
      'staking PUT /staking/ethereum/{chain}/validators/{pubkey}/organization: staking:delete',
      'staking PUT /staking/ethereum/{chain}/validators/{pubkey}: staking:update',
    ])
  })

  it('depends on nothing in a header but the organization: an approval binds path, query and body', () => {
    for (const { endpoint } of APPROVABLE_ENDPOINTS) expect(endpoint.headers).toBeUndefined()
  })
})

describe(approvableCall, () => {
  it.each([
    [
      'DELETE',
      `/nodes/users/me/nodes/${NODE}?purge=true`,
      nodes.remove,
      `/users/me/nodes/${NODE}?purge=true`,
      { id: NODE },
      { purge: 'true' },
    ],
    ['POST', '/accounts/organizations/org-1/invitations', organizations.invite, '/organizations/org-1/invitations', { id: 'org-1' }, {}],
    [
      'POST',
      `/staking/ethereum/hoodi/validators/${PUBKEY}/validatorExit`,
      validators.exit,
      `/staking/ethereum/hoodi/validators/${PUBKEY}/validatorExit`,
      { chain: 'hoodi', pubkey: PUBKEY },
      {},
    ],
  ] as const)('finds the endpoint of a request at the ingress: %s %s', (method, path, endpoint, own, params, query) => {
    expect(approvableCall(method, path)).toMatchObject({ endpoint, path: own, params, query })
  })

  it.each([
    ['GET', `/nodes/users/me/nodes/${NODE}`],
    ['POST', '/nodes/users/me/nodes'],
    ['DELETE', `/users/me/nodes/${NODE}`],
    ['DELETE', `/nodes/users/me/nodes/${NODE}/`],
    ['DELETE', '/nodes/users/me/nodes/'],
    ['DELETE', '/nodes/users/me/nodes/a/b'],
    ['DELETE', '/nodes/users/me/nodes/%zz'],
    ['DELETE', `//nodes/users/me/nodes/${NODE}`],
    ['DELETE', `/NODES/users/me/nodes/${NODE}`],
    ['PUT', '/accounts/organizations/org-1'],
    ['DELETE', '/accounts/organizations/org-1'],
    ['PUT', ''],
  ])('finds none for what needs no approval, or is no endpoint: %s %s', (method, path) => {
    expect(approvableCall(method, path)).toBeUndefined()
  })
})
