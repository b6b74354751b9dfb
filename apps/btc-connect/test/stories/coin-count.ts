import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import type { Truth } from './expected.js'
import { consoleCoins, type NodeConsole } from './node-console.js'
import type { SeededRandom } from './random.js'

interface Coins {
  readonly txouts: number
  readonly total_amount: string
}

interface Scan {
  readonly unspents: readonly { readonly txid: string; readonly vout: number; readonly amount: string; readonly height: number }[]
}

const SAMPLES = 300
const BARE_KEY = /^(21[0-9a-f]{66}|41[0-9a-f]{130})ac$/

/** Where our own sums differ from the node's own set of coins, as it counts it, scans it and looks into it. */
export async function unlikeTheNode(truth: Truth, node: NodeConsole, random: SeededRandom): Promise<string[]> {
  return [...(await counted(truth, node)), ...(await scanned(truth, node)), ...(await lookedUp(truth, node, random))]
}

async function counted({ state }: Truth, node: NodeConsole): Promise<string[]> {
  const { txouts, total_amount } = await node.call<Coins>('gettxoutsetinfo', 'none')
  const { count, value } = state.unspentTotal()
  return txouts === count && total_amount === value ? [] : [`${count} coins of ${value}, the node has ${txouts} of ${total_amount}`]
}

/** By every address at once. A bare public key is no address to the node. */
async function scanned({ state }: Truth, node: NodeConsole): Promise<string[]> {
  const addresses = [...state.addresses.keys()]
  const { unspents } = await node.call<Scan>(
    'scantxoutset',
    'start',
    addresses.map((address) => `addr(${address})`),
  )
  const theirs = unspents.map(({ txid, vout, amount, height }) => `${txid}:${vout} ${amount} ${height}`)
  const all = addresses.flatMap((address) => state.unspent(address)).filter(({ script }) => !BARE_KEY.test(script))
  const ours = all.map(({ txid, vout, value, height }) => `${txid}:${vout} ${consoleCoins(value)} ${height}`)
  return symmetricDifference(ours, theirs)
}

async function lookedUp({ state, waiting }: Truth, node: NodeConsole, random: SeededRandom): Promise<string[]> {
  const ids = random.sample([...state.reader.outputs.keys()], SAMPLES)
  const calls = ids.map((id): RpcInvocation => ['gettxout', id.slice(0, 64), Number(id.slice(65))])
  const found = await node.batch<{ value: string; confirmations: number } | null>(calls)
  return ids.flatMap((id, i) => {
    const theirs = found[i] ? `${found[i].value} ${found[i].confirmations}` : 'nothing'
    const ours = state.unspentOutput(id, waiting) ?? 'nothing'
    return ours === theirs ? [] : [`${id} is ${ours}, the node has ${theirs}`]
  })
}

function symmetricDifference(ours: readonly string[], theirs: readonly string[]): string[] {
  const [us, them] = [new Set(ours), new Set(theirs)]
  const more = ours.filter((each) => !them.has(each)).map((each) => `the node does not have ${each}`)
  return [...more, ...theirs.filter((each) => !us.has(each)).map((each) => `only the node has ${each}`)]
}
