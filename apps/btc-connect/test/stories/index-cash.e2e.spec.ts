import { jest } from '@jest/globals'
import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { eventually } from '@trestle/testing/eventually'
import { type Bcash, startBcash } from './bcash.js'
import { type BuiltReplica, BuiltService } from './built-service.js'
import { checksumOf, contradictionsIn } from './invariants.js'
import { lockKey, type OutputLock, payToKeyHash } from './locks.js'
import { type LyingNode, results, startLyingNode } from './lying-node.js'
import { SeededRandom } from './random.js'
import { feeOf, outpointOf, type SpendableCoin, serialized } from './raw-payment.js'

// A living node of the Bitcoin Cash family: BCASH=<a folder in which `npm install bcash` was run>. Without one this is left out.

const { BCASH = '' } = process.env

jest.setTimeout(300_000)

interface CashTransaction {
  readonly txid: string
  readonly vin: readonly { readonly txid: string; readonly vout: number; readonly coinbase?: string }[]
  readonly vout: readonly { readonly n: number; readonly value: string | number; readonly scriptPubKey: { readonly hex: string } }[]
}

const PEOPLE = 8
const MATURITY = 100
// Of bcash's regtest alone.
const WIF_VERSION = 0x5a

;(BCASH ? describe : describe.skip)('payments on bcash', () => {
  const random = new SeededRandom(4)
  const people = Array.from({ length: PEOPLE }, () => lockOf(random.bytes(32)))
  const byScript = new Map(people.map((lock) => [lock.script.toString('hex'), lock]))
  let node: Bcash
  let plain: LyingNode
  let service: BuiltService
  let replica: BuiltReplica

  beforeAll(async () => {
    node = await startBcash(BCASH)
    await mine(MATURITY + 20)
    for (let i = 0; i < 5; i++) await round()
    plain = await startLyingNode(node)
    plain.lie(results(inOtherWords))
    service = await BuiltService.create({ node: { ...node, url: plain.url }, settings: { BULK_MIN_BLOCKS: '50' } })
    replica = await service.start()
    await replica.ready()
  })

  afterAll(async () => {
    await service.stopAll()
    plain.stop()
    await node.stop()
  })

  it('are indexed in bulk as the node has them', async () => {
    await isRight()
  })

  it('are followed at the tip', async () => {
    for (let i = 0; i < 5; i++) await round()
    await isRight()
  })

  it.each([1, 20])('are right after a reorganization of %d blocks', async (depth) => {
    const height = await node.console.call<number>('getblockcount')
    await node.console.call('invalidateblock', await node.console.call('getblockhash', height - depth + 1))
    await mine(depth)
    await round()
    await isRight()
  })

  it('yield the same index block by block', async () => {
    const fresh = await service.another()
    await fresh.start('indexer', { BULK_MIN_BLOCKS: '1000000' })
    await hasCaughtUp(fresh)
    expect(await checksumOf(fresh.sql)).toEqual(await checksumOf(service.sql))
    await fresh.stop()
  })

  async function mine(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await node.console.call('generatetoaddress', 1, addressTo(random.pick(people)))
  }

  /** Some pay some others, and a block takes it. */
  async function round(): Promise<void> {
    const { unspent } = await read()
    for (const coin of random.sample(unspent, 6)) {
      const fee = feeOf(1, 2)
      const share = coin.value / BigInt(random.between(2, 9))
      if (coin.value - share <= fee) continue
      const paid = [share, coin.value - share - fee].map((value) => ({ value, lock: random.pick(people) }))
      const spent = { txid: coin.txid, vout: coin.vout, amount: Number(coin.value) / 1e8, scriptPubKey: coin.lock.script.toString('hex') }
      const raw = serialized({ coins: [coin], paid }).toString('hex')
      const { hex } = await node.console.call<{ hex: string }>('signrawtransaction', raw, [spent], coin.lock.keys)
      await node.console.call('sendrawtransaction', hex)
    }
    await mine(1)
  }

  /** Everybody's figures, from what the node prints of its blocks. */
  async function read() {
    const height = await node.console.call<number>('getblockcount')
    const coins = new Map<string, SpendableCoin & { readonly ripeAt: number }>()
    const figures = new Map(people.map((lock) => [lock, { received: 0n, sent: 0n, history: new Set<string>() }]))
    const heights = Array.from({ length: height }, (_, i) => i + 1)
    const hashes = await node.console.batch<string>(heights.map((at) => ['getblockhash', at]))
    const blocks = await node.console.batch<{ tx: CashTransaction[] }>(hashes.map((hash) => ['getblock', hash, true, true]))
    for (const [i, { tx }] of blocks.entries()) {
      const at = i + 1
      for (const { txid, vin, vout } of tx) {
        for (const input of vin) {
          const coin = coins.get(outpointOf(input))
          if (!coin) continue
          coins.delete(outpointOf(coin))
          const owner = figures.get(coin.lock)!
          owner.sent += coin.value
          owner.history.add(txid)
        }
        for (const { n, value: amount, scriptPubKey } of vout) {
          const lock = byScript.get(scriptPubKey.hex)
          if (!lock) continue
          const value = BigInt(Math.round(Number(amount) * 1e8))
          const isCoinbase = vin[0]?.coinbase !== undefined
          coins.set(`${txid}:${n}`, { txid, vout: n, value, lock, ripeAt: isCoinbase ? at + MATURITY : at })
          const owner = figures.get(lock)!
          owner.received += value
          owner.history.add(txid)
        }
      }
    }
    return { figures, coins, unspent: [...coins.values()].filter(({ ripeAt }) => ripeAt <= height) }
  }

  async function isRight(): Promise<void> {
    await hasCaughtUp(service)
    const { figures, coins } = await read()
    for (const [lock, { received, sent, history }] of figures) {
      const { body } = await replica.get(`/addr/${addressTo(lock)}?to=1000`)
      expect(body).toMatchObject({ totalReceivedSat: Number(received), totalSentSat: Number(sent), balanceSat: Number(received - sent) })
      // What a reorganisation set free waits on, and what it spends is left out.
      const waiting = body.unconfirmedTxApperances
      expect(body.transactions.slice(waiting)).toEqual([...history].reverse())
      const { body: outputs } = await replica.get(`/addr/${addressTo(lock)}/utxo`)
      const ours = outputs.filter(({ height }: { height?: number }) => height !== undefined).map(outpointOf)
      const theirs = [...coins.values()].filter((coin) => coin.lock === lock).map(outpointOf)
      expect(theirs).toEqual(expect.arrayContaining(ours))
      if (waiting === 0) expect(ours).toHaveLength(theirs.length)
    }
    expect(await contradictionsIn(service.sql)).toEqual([])
  }

  async function hasCaughtUp({ sql }: BuiltService): Promise<void> {
    const best = await node.console.call<string>('getbestblockhash')
    await eventually(
      async () => {
        const { rows } = await sql.query<{ tip: string }>(
          "SELECT encode(hash, 'hex') AS tip FROM block, index_state WHERE phase = 'tip' ORDER BY height DESC LIMIT 1",
        )
        return rows[0]?.tip === best || undefined
      },
      'the index has what the node has',
      60_000,
    )
  }
})

/** It says null where the others say nothing, and tells its version as text. */
function inOtherWords(method: string, result: unknown): unknown {
  if (method === 'getnetworkinfo') return { ...(result as object), version: 1_010_100 }
  return method === 'getblockchaininfo' ? { ...(result as object), pruneheight: undefined } : result
}

function lockOf(secret: Buffer): OutputLock {
  const { wif, publicKey } = lockKey(secret, true, WIF_VERSION)
  return { kind: 'pubkeyhash', script: payToKeyHash(publicKey), keys: [wif] }
}

function addressTo({ script }: OutputLock): string {
  return addressOf(script, chainRules('bch', 'regtest')) ?? ''
}
