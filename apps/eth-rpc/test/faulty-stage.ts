import { TOKEN_CREATION, transferOf } from '@trestle/devnet/ethereum/token'
import { startAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { startFaultyUpstream } from '@trestle/testing/faulty-upstream'
import { HeadFeed } from '../src/heads/head-feed.js'
import { UpstreamPool } from '../src/upstreams/upstream-pool.engine.js'
import { startEthRpcUnderTest } from './gateway-under-test.js'
import { resultOfRpc } from './json-rpc.js'
import { TestTime } from './test-time.js'

const TOKEN_GAS = '0x186a0'
const CREATION_GAS = '0x7a120'
const FEE = '0x2540be400'
/** Of who may ask as often as it likes. */
export const UNLIMITED = { limits: { perSecond: 1_000_000 } }

/** Three nodes in step with a token on their chain, each of which can be made to go wrong, and a gateway before them. */
export async function startFaultyStage(settings: Record<string, string> = {}) {
  const time = new TestTime()
  const anvils = await startAnvils({ count: 3 })
  const created = await anvils.send({ to: undefined, value: '0x0', data: TOKEN_CREATION, gas: CREATION_GAS })
  await anvils.mine()
  const rpc = anvils.nodes[0]!.rpc
  const { contractAddress: token } = await rpc.call<{ contractAddress: string }>('eth_getTransactionReceipt', created)
  const upstreams = await Promise.all(anvils.nodes.map((node) => startFaultyUpstream(node)))
  const named = upstreams.map(({ url, webSocketUrl }, i) => `node-${i}=${url}+${webSocketUrl}#archive`)
  const gateway = await startEthRpcUnderTest(named.join(), settings)
  const url = await gateway.project(UNLIMITED)
  const [, , payer] = anvils.accounts as [string, string, string]
  let nonce = 0
  return {
    anvils,
    upstreams,
    gateway,
    token,
    url,
    time,
    /** The first account has all tokens. */
    transfer: (amount = 1n, to = payer) => anvils.send({ to: token, value: '0x0', data: transferOf(to, amount), gas: TOKEN_GAS }),
    /** A payment of the third account, signed and not sent; each has the next nonce. */
    sign: (change: object = {}): Promise<string> => {
      const transaction = { from: payer, to: token.replace(/^0x../, '0x00'), value: '0x1', gas: '0x5208', chainId: '0x7a69' }
      const fees = { maxFeePerGas: FEE, maxPriorityFeePerGas: '0x1' }
      return rpc.call('eth_signTransaction', { ...transaction, ...fees, nonce: `0x${(nonce++).toString(16)}`, ...change })
    },
    /** Until the gateway has the newest block, too. */
    async mine(blocks = 1) {
      const block = await anvils.mine(blocks)
      await eventually(
        async () => (await resultOfRpc(url, 'eth_blockNumber')) === block.number || undefined,
        'the gateway has the newest block',
      )
      return block
    },
    /** All have the newest block, and the gateway knows it. */
    inStep: () => {
      const { chain, upstreams: statuses } = gateway.service.app.get(HeadFeed, { strict: false })
      const isThere = () => [...statuses.values()].every(({ head, isOnOurChain }) => isOnOurChain && head === chain.head?.number)
      return eventually(() => isThere() || undefined, 'all upstreams are in step')
    },
    /** Nothing goes wrong, and the gateway asks all of them again. */
    async heal() {
      await Promise.all(upstreams.map((upstream) => upstream.heal()))
      const pool = gateway.service.app.get(UpstreamPool, { strict: false })
      const admitted = () => pool.upstreams.every(({ health }) => health.admits(performance.now()))
      await eventually(async () => {
        // Until a node is trusted again time goes by faster.
        if (!admitted()) time.pass(250)
        return (admitted() && (await upOf(gateway.service.internalUrl)) === 3) || undefined
      }, 'all upstreams are used again')
    },
    async stop() {
      await gateway.stop()
      await Promise.all(upstreams.map((upstream) => upstream.stop()))
      await anvils.stop()
      time.end()
    },
  }
}
export type FaultyStage = Awaited<ReturnType<typeof startFaultyStage>>

/** How many upstreams are used. */
async function upOf(internalUrl: string): Promise<number> {
  return (await metric(internalUrl, 'upstream_up')).reduce((sum, { value }) => sum + value, 0)
}

/** Which of the upstreams leads. */
export async function primaryOf(internalUrl: string): Promise<number> {
  const primary = (await metric(internalUrl, 'head_lead')).find(({ value }) => value === 1)
  return Number(primary?.labels.match(/node-(\d)/)?.[1])
}

export async function metric(internalUrl: string, name: string): Promise<{ readonly labels: string; readonly value: number }[]> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  return [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => ({
    labels,
    value: Number(value),
  }))
}
