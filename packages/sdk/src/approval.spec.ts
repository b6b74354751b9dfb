import { answering, answeringInTurn, bodyOf, serving } from '../test/serving.js'
import type { UnapprovedRequest } from './connection.js'

const ORGANIZATION = 'org-00000000-0000-4000-8000-000000000001'
const NODE = 'node-00000000-0000-4000-8000-000000000002'
const demanded = answering(
  { code: 'ApprovalRequired', detail: 'A second person.', organizationId: ORGANIZATION, permission: 'nodes:delete' },
  403,
)
const removed = answering({ id: NODE, state: 'removed' })

describe('a call that a second person has to approve', () => {
  it('is repeated with the approval, which is asked for with exactly the request', async () => {
    const asked: UnapprovedRequest[] = []
    const approve = async (request: UnapprovedRequest) => {
      asked.push(request)
      return 'an-approval'
    }
    const { trestle, seen } = await serving(answeringInTurn(demanded, removed), { token: 't', approve })
    await trestle.nodes.nodes.remove({ params: { id: NODE }, query: { purge: 'true' } })
    expect(asked).toEqual([{ organizationId: ORGANIZATION, method: 'DELETE', path: `/nodes/users/me/nodes/${NODE}?purge=true` }])
    expect(seen.map(({ headers }) => headers['trestle-approval'])).toEqual([undefined, 'an-approval'])
    expect(seen.map(({ url }) => url)).toEqual([asked[0]?.path, asked[0]?.path])
  })

  it('has its body approved, and the path of an area that has no prefix of its own', async () => {
    const bodies: string[] = []
    const asked: UnapprovedRequest[] = []
    const body = { feeAddress: `0x${'12'.repeat(20)}` }
    const approve = async (request: UnapprovedRequest) => {
      asked.push(request)
      return 'an-approval'
    }
    const answer = answeringInTurn(demanded, answering('', 204))
    const { trestle } = await serving(
      async (request, response) => {
        bodies.push(await bodyOf(request))
        answer(request, response)
      },
      { token: 't', approve },
    )
    const params = { chain: 'dev', pubkey: 'ab'.repeat(48) }
    await trestle.staking.validators.changeFeeAddress({ params, body })
    expect(asked).toEqual([
      { organizationId: ORGANIZATION, method: 'PUT', path: `/staking/ethereum/dev/validators/${params.pubkey}`, body },
    ])
    expect(bodies).toEqual([JSON.stringify(body), JSON.stringify(body)])
  })

  it('is refused while there is no approval, and with one that is no good', async () => {
    const call = { params: { id: NODE } }
    const waiting = await serving(demanded, { token: 't', approve: async () => undefined })
    await expect(waiting.trestle.nodes.nodes.remove(call)).rejects.toMatchObject({ code: 'ApprovalRequired' })
    expect(waiting.seen).toHaveLength(1)
    const invalid = answering({ code: 'InvalidApproval', detail: 'No.' }, 403)
    const { trestle, seen } = await serving(answeringInTurn(demanded, invalid), { token: 't', approve: async () => 'an-approval' })
    await expect(trestle.nodes.nodes.remove(call)).rejects.toMatchObject({ code: 'InvalidApproval' })
    expect(seen).toHaveLength(2)
  })

  it('takes an approval that the caller has', async () => {
    const { trestle, seen } = await serving(removed, { token: 't' })
    await trestle.nodes.nodes.remove({ params: { id: NODE }, approval: 'mine' })
    expect(seen[0]?.headers['trestle-approval']).toBe('mine')
  })
})
