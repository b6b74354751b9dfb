import { isDeepStrictEqual } from 'node:util'
import { TOKEN_CREATION, transferOf } from '@trestle/devnet/ethereum/token'
import { startAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { startEthRpcUnderTest } from '../gateway-under-test.js'

/** Where a client is pointed to. */
export interface CallerUrls {
  readonly http: string
  readonly webSocket: string
}

/** Of anvil's ten accounts, all of which have 10,000 ether. */
export const MNEMONIC = 'test test test test test test test test test test test junk'

const TOKEN_GAS = '0x7a120'
/** Final is what is two epochs of eight blocks under the head. */
const FINAL_BLOCKS = 20

/** Three nodes in step with a token and some blocks on their chain, and a gateway before them. */
export async function startStage(settings: Record<string, string> = {}) {
  const anvils = await startAnvils({ count: 3 })
  const [first, second, third] = anvils.accounts as [string, string, string]
  const rpc = anvils.nodes[0]!.rpc
  const created = await anvils.send({ from: first, to: undefined, value: '0x0', data: TOKEN_CREATION, gas: TOKEN_GAS })
  await anvils.mine()
  const { contractAddress: token } = await rpc.call<{ contractAddress: string }>('eth_getTransactionReceipt', created)
  const transfer = (to: string, amount: bigint) =>
    anvils.send({ from: first, to: token, value: '0x0', data: transferOf(to, amount), gas: TOKEN_GAS })
  const transferred = await transfer(second, 5n)
  const paid = await anvils.send({ from: second, to: third, value: '0xde0b6b3a7640000' })
  await anvils.mine()
  await transfer(third, 7n)
  await anvils.mine(FINAL_BLOCKS)

  const gateway = await startEthRpcUnderTest(
    anvils.nodes.map(({ name, url, webSocketUrl }) => `${name}=${url}+${webSocketUrl}#archive`).join(','),
    settings,
  )
  const url = await gateway.project({ limits: { perSecond: 1_000_000 } })
  const direct: CallerUrls = { http: anvils.nodes[0]!.url, webSocket: anvils.nodes[0]!.webSocketUrl }
  const through: CallerUrls = { http: url, webSocket: url.replace('http', 'ws') }

  return {
    anvils,
    gateway,
    direct,
    through,
    /** Of the token, of a transfer of it, of a payment; and three accounts. */
    token,
    created,
    transferred,
    paid,
    accounts: [first, second, third] as const,
    transfer,
    /** Until the gateway has the newest block, too: from there on both have the same head. */
    async mine(blocks = 1): Promise<void> {
      const { number } = await anvils.mine(blocks)
      await eventually(async () => (await headAt(url)) === number || undefined, 'the gateway has the newest block')
    },
    /** What is asked of a node and of the gateway is answered alike; this is the answer. */
    async both<T>(ask: (place: CallerUrls) => Promise<T>): Promise<T> {
      const [here, there] = await Promise.all([ask(direct), ask(through)])
      expect(there).toStrictEqual(here)
      return there
    },
    bothHear: <T>(listen: ChainListening<T>, act: () => Promise<unknown>) => bothHear([direct, through], listen, act),
    async stop() {
      await gateway.stop()
      await anvils.stop()
    },
  }
}

/** Listens at a place until what it answers with is called. */
type ChainListening<T> = (place: CallerUrls, hear: (event: T) => void) => Promise<() => unknown>

const ACTS = 3
const SOON_MS = 500

/** Acts again and again; returns the events, which arrive once and the same from a node and through the gateway. */
async function bothHear<T>(
  places: readonly [CallerUrls, CallerUrls],
  listen: ChainListening<T>,
  act: () => Promise<unknown>,
): Promise<T[]> {
  const received: [T[], T[]] = [[], []]
  const stops = await Promise.all(places.map((place, i) => listen(place, (event) => received[i]!.push(event))))
  // Who listens says so to its node after it has answered: until then there is nothing to compare.
  await eventually(async () => {
    await act()
    return eventually(() => received.every(({ length }) => length > 0) || undefined, 'both receive', SOON_MS).catch(() => undefined)
  }, 'both hear of anything')
  // One by one: who asks now and again would be told several things at once.
  for (let i = 0; i < ACTS; i++) {
    const before = received.map(({ length }) => length)
    await act()
    await eventually(() => received.every(({ length }, place) => length > (before[place] as number)) || undefined, 'both receive it')
  }
  const last = () => received.map((events) => events.slice(-ACTS)) as [T[], T[]]
  const isSame = ([here, there]: [T[], T[]]) => here.length === ACTS && isDeepStrictEqual(here, there)
  const same = await eventually(() => [last()].find(isSame), 'both hear the same').catch(last)
  await Promise.all(stops.map((stop) => stop()))
  expect(same[1]).toStrictEqual(same[0])
  return same[1]
}

export type ClientStage = Awaited<ReturnType<typeof startStage>>

async function headAt(url: string): Promise<string> {
  const body = '{"jsonrpc":"2.0","method":"eth_blockNumber","id":1}'
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { result: string }).result
}
