import { setTimeout as delay } from 'node:timers/promises'
import { signAll, unspentExtras } from './history.js'
import { mine } from './mining.js'
import { flush } from './node.js'
import { type NodeRpc, NodeRpcError } from './node-rpc.js'
import { type Owner, PEOPLE, SHOP } from './owners.js'
import { type Payment, type PaymentOutput, type SpendableOutput, smallestUnits, sumOfOutputs } from './payment.js'

const BEAT_MS = 1500
const BEATS_A_BLOCK = 4
const FEE = 2_000n
// Below that, a coin is not worth spending.
const CRUMB = 100_000n
// Knots takes no transaction with a longer output script, only blocks that have one already: nobody is paid to a bare key or multisig any more.
const LONGEST_SCRIPT = 34
const PAYEES = PEOPLE.filter(isPayable)

/** Goes on with a chain until told to stop: a payment every 1.5 s, a block every 6. While the node is away it waits. */
export async function simulateActivity(rpc: NodeRpc, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const people = await People.of(rpc)
      for (let beat = 1; !signal.aborted; beat++) {
        await delay(BEAT_MS, undefined, { ref: false, signal })
        await people.pay()
        if (beat % BEATS_A_BLOCK === 0) await addBlock(rpc)
      }
    } catch {
      await delay(BEAT_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }
}

/** A block that stays also when the node is killed the next moment. */
async function addBlock(rpc: NodeRpc): Promise<void> {
  await mine(rpc)
  await flush(rpc)
}

/** People who pay each other and the shop, with coins that go around. */
class People {
  private turn = 0

  private constructor(
    private readonly rpc: NodeRpc,
    private readonly coins: SpendableOutput[],
  ) {}

  static async of(rpc: NodeRpc): Promise<People> {
    // Afterwards nothing waits: all coins are on the chain.
    await addBlock(rpc)
    return new People(rpc, await coinsOf(rpc, [SHOP, ...PEOPLE]))
  }

  async pay(): Promise<void> {
    const coins = this.coins.splice(0, 2)
    if (coins.length < 2) return
    this.turn += 1
    const payment = exchangeCoins(coins, this.turn)
    const owners = [payeeAt(this.turn), changeOwner(coins)]
    try {
      const [signed] = await signAll(this.rpc, [payment])
      const txid = await this.rpc.call<string>('sendrawtransaction', signed)
      owners.forEach((owner, vout) => {
        const value = payment.outputs[vout]?.value ?? 0n
        if (value > CRUMB) this.coins.push({ txid, vout, value, owner })
      })
    } catch (error) {
      // Two coins less: somebody else has spent one.
      if (!(error instanceof NodeRpcError)) throw error
    }
  }
}

/** Two coins become two others: a third of both for the payee, the rest for whoever had the first. */
export function exchangeCoins(coins: readonly SpendableOutput[], turn: number): Payment {
  const extras: PaymentOutput[] = unspentExtras(turn)
  const price = sumOfOutputs(coins) / 3n
  const change = sumOfOutputs(coins) - price - sumOfOutputs(extras) - FEE
  const [payee, payer] = [payeeAt(turn), changeOwner(coins)]
  return { coins, outputs: [{ value: price, script: payee.script }, { value: change, script: payer.script }, ...extras] }
}

/** The shop every other time. */
function payeeAt(turn: number): Owner {
  return (turn % 2 === 1 && PAYEES[((turn - 1) / 2) % PAYEES.length]) || SHOP
}

function changeOwner([first]: readonly SpendableOutput[]): Owner {
  return first && isPayable(first.owner) ? first.owner : SHOP
}

function isPayable({ script }: Owner): boolean {
  return script.length <= LONGEST_SCRIPT
}

interface Found {
  readonly txid: string
  readonly vout: number
  readonly amount: number
  readonly scriptPubKey: string
}

async function coinsOf(rpc: NodeRpc, owners: readonly Owner[]): Promise<SpendableOutput[]> {
  const infos = await rpc.batch<{ descriptor: string }>(owners.map(({ descriptor }) => ['getdescriptorinfo', descriptor]))
  const descriptors = infos.map(({ descriptor }) => descriptor)
  const { unspents } = await rpc.call<{ unspents: Found[] }>('scantxoutset', 'start', descriptors)
  const byScript = new Map(owners.map((owner) => [owner.script.toString('hex'), owner]))
  return unspents.flatMap(({ txid, vout, amount, scriptPubKey }) => {
    const owner = byScript.get(scriptPubKey)
    const value = smallestUnits(amount)
    return owner && value > CRUMB ? [{ txid, vout, value, owner }] : []
  })
}
