import { MANAGER } from '@trestle/auth/claims'
import { AREAS } from '@trestle/contracts/areas'
import { eventually } from '@trestle/testing/eventually'
import { type EthRpcUnderTest, startEthRpcUnderTest } from '../gateway-under-test.js'
import { callManagement } from '../management.js'
import { corpusOf } from './corpus/corpus.js'
import type { CorpusCall } from './corpus/corpus-call.js'
import { grantedCalls } from './corpus/gateway-calls.js'
import { type GethChain, makeChain } from './geth-chain.js'
import { GETH_CHAIN_ID, type RunningGeth, startGeth } from './geth-node.js'

describe('a corpus of calls is answered as by the geth behind the gateway, or there is a reason', () => {
  it.each([
    ['with a WebSocket', {}],
    ['over HTTP only', { webSocket: false }],
    ['an archive', { archive: true }],
  ])('%s', async (_, options) => {
    const geth = await startGeth(options)
    const chain = await makeChain(geth)
    const gateway = await inFrontOf(geth)
    await compareAll(geth, gateway, chain)
    await gateway.stop()
    await geth.stop()
  })

  it('killed and restarted while the gateway runs', async () => {
    const geth = await startGeth()
    const chain = await makeChain(geth)
    const gateway = await inFrontOf(geth)
    await geth.killAndRestart()
    // Blocks that were not written yet are lost, with the transactions.
    const { hash } = await geth.rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    await compareAll(geth, gateway, hash === chain.head.hash ? chain : await makeChain(geth))
    await gateway.stop()
    await geth.stop()
  })
})

function inFrontOf(geth: RunningGeth): Promise<EthRpcUnderTest> {
  return startEthRpcUnderTest(geth.upstream, { CHAIN_ID: String(GETH_CHAIN_ID) })
}

async function compareAll(geth: RunningGeth, gateway: EthRpcUnderTest, chain: GethChain): Promise<void> {
  const url = await gateway.project({ limits: { perSecond: 1_000_000 } })
  const isThere = async () => (await answerOf(url, HEAD)) === (await answerOf(geth.url, HEAD))
  await eventually(async () => (await isThere()) || undefined, 'the gateway has the head')
  const calls = corpusOf(chain)
  await compareEach(geth, url, calls)
  expect(calls.length).toBeGreaterThan(900)
  await compareEach(geth, await grantedProject(gateway), grantedCalls(chain))
}

async function compareEach(geth: RunningGeth, url: string, calls: readonly CorpusCall[]): Promise<void> {
  const unexplained: object[] = []
  const needless: string[] = []
  for (const call of calls) {
    const difference = await differenceOf(geth, url, call)
    if (difference && call.reason === undefined) unexplained.push(difference)
    if (!difference && call.reason !== undefined) needless.push(call.body)
  }
  expect(unexplained).toEqual([])
  // Equal by now: the reason is to go.
  expect(needless).toEqual([])
}

/** One that may trace. */
async function grantedProject({ service, issuer }: EthRpcUnderTest): Promise<string> {
  const [manager, token] = [issuer.account({ payload: { aud: [...AREAS, MANAGER] } }), issuer.account()]
  const { body: plain } = await callManagement(service, 'POST', '/projects', { token, body: { name: 'plain' } })
  const namespaces = ['debug', 'trace', 'txpool']
  await callManagement(service, 'PUT', `/users/${plain.user}/limits`, {
    token: manager,
    body: { perSecond: 1_000_000, perDay: 1_000_000_000, namespaces },
  })
  const { body } = await callManagement(service, 'POST', '/projects', { token, body: { name: 'traces', namespaces } })
  return `${service.url}/v1/${body.id}`
}

const HEAD = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}'
const SHOWN = 300

async function differenceOf({ url }: RunningGeth, through: string, { body }: CorpusCall) {
  const [geth, gateway] = [await answerOf(url, body), await answerOf(through, body)]
  return geth === gateway ? undefined : { call: body.slice(0, SHOWN), geth: geth.slice(0, SHOWN), gateway: gateway.slice(0, SHOWN) }
}

async function answerOf(url: string, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await answer.text()).trim()
}
