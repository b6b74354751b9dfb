import { chainRules } from '@trestle/bitcoin/chain-rules'
import { createPool } from '@trestle/database/pool'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'
import { hasBitcoind, type TestChain, testChain } from '@trestle/testing/chain'
import type { Pool } from 'pg'
import { indexSchema, PlainIndex } from '../../test/plain-index.js'
import { waitingAtNode } from '../../test/waiting-at-node.js'
import { NodeClient } from '../node/node.client.js'
import { NodeBlocksClient } from '../node/node-blocks.client.js'
import { NodeCapabilitiesService } from '../node/node-capabilities.service.js'
import { trackedScripts } from '../track.js'
import type { FeeBand } from './fee-bands.js'
import { MempoolClient } from './mempool.client.js'
import { MempoolRepository } from './mempool.repository.js'
import { type MempoolFollower, MempoolService } from './mempool.service.js'
import { MempoolSizeRepository } from './mempool-size.repository.js'

const { signal } = new AbortController()
const coins = (await hasBitcoind()) ? (['ltc', 'btc'] as const) : (['ltc'] as const)

interface Spend {
  prev: string
  prev_vout: number
  txid: string
  value: string | null
  known: boolean
}

interface Spending {
  owner?: string
  fee?: number
}

interface NodeOutput {
  n: number
  value: number
  scriptPubKey: { address?: string; addresses?: string[] }
}

describe.each(coins)('the mempool of a real node of %s', (coin) => {
  const rules = chainRules(coin, 'regtest')
  // Litecoin Core replaces nothing.
  const itReplaces = coin === 'btc' ? it : it.skip
  let chain: TestChain
  let client: NodeClient
  let blocks: NodeBlocksClient
  let database: Awaited<ReturnType<typeof indexSchema>>
  let pool: Pool
  let index: PlainIndex
  let mempool: MempoolFollower

  beforeAll(async () => {
    chain = await testChain({ coin })
    await chain.mine(105)
    const env = { NODE_URL: chain.url, NODE_COOKIE_FILE: chain.cookieFile }
    client = new NodeClient(env)
    blocks = new NodeBlocksClient(client, new NodeCapabilitiesService(client, createLogger('test', 'silent'), env), rules)
    database = await indexSchema(coin)
    pool = createPool({ url: database.url, schema: coin })
    index = new PlainIndex(database.pool)
    await index.begin(Buffer.from(rules.genesisHash, 'hex'))
    await catchUp()
    mempool = await begin()
  })

  afterAll(async () => {
    await mempool.lease.release()
    await client.close()
    await pool.end()
    await database.drop()
    await chain.stop()
  })

  it('stores a payment with its outputs and the outputs that it spends', async () => {
    const txid = await pay(1.5)
    await mempool.sync()
    expect(await kept()).toEqual([txid])
    const { vin, vout } = await chain.rpc<{ vin: { txid: string }[]; vout: unknown[] }>('getrawtransaction', txid, true)
    expect((await outputs(txid)).length).toBe(vout.length)
    const [spend] = await spends(txid)
    expect(spend).toMatchObject({ prev: vin[0]!.txid, value: '5000000000', known: true })
  })

  it('knows what a chain of unconfirmed transactions spends', async () => {
    const parent = await pay(2)
    const child = await spendOutputOf(parent, 0.5)
    const grandchild = await spendOutputOf(child, 0.1)
    await mempool.sync()
    expect(await kept()).toEqual(expect.arrayContaining([parent, child, grandchild]))
    for (const [txid, prev] of [
      [child, parent],
      [grandchild, child],
    ] as const) {
      const [spend] = await spends(txid)
      const [output] = (await outputs(prev)).filter(({ vout }) => vout === spend!.prev_vout)
      expect(spend).toMatchObject({ prev, known: true, value: output!.value })
    }
  })

  it('counts the mempool by fee rate, as the node does', async () => {
    let txid = await pay(4)
    for (const fee of [0.00005, 0.0002, 0.001]) txid = await spendOutputOf(txid, 1, { fee })
    await mempool.sync()
    const told = await counted()
    expect(told).toEqual(await waitingAtNode(chain))
    expect(told.length).toBeGreaterThan(2)
  })

  it('keeps the time at which it first saw a transaction, even when another writer takes over', async () => {
    const before = await firstSeen()
    await mempool.lease.release()
    mempool = await begin()
    await pay(1)
    await mempool.sync()
    expect(await firstSeen()).toMatchObject(before)
  })

  itReplaces('forgets what was replaced, and what lived from it', async () => {
    const replaced = await chain.rpc<string>('sendtoaddress', await address(), 3, '', '', false, true)
    const child = await spendOutputOf(replaced, 1)
    await mempool.sync()
    const { txid: replacement } = await bump(replaced)
    await mempool.sync()
    const now = await kept()
    expect(now).toContain(replacement)
    expect(now).not.toContain(replaced)
    expect(now).not.toContain(child)
    expect((await spends(replacement))[0]).toMatchObject({ known: true })
    expect(await counted()).toEqual(await waitingAtNode(chain))
  })

  it('changes nothing until the index has the block that the node has', async () => {
    const before = await kept()
    expect(before.length).toBeGreaterThan(3)
    await chain.mine(1)
    await pay(1)
    await mempool.sync()
    expect(await kept()).toEqual(before)
    await catchUp()
    await mempool.sync()
    expect((await kept()).sort()).toEqual((await chain.rpc<string[]>('getrawmempool')).sort())
    expect(await counted()).toEqual(await waitingAtNode(chain))
  })

  it('returns the transactions of a disconnected block', async () => {
    const txid = await pay(1)
    const [hash = ''] = await chain.mine(1)
    await catchUp()
    await mempool.sync()
    expect(await kept()).not.toContain(txid)
    await chain.rpc('invalidateblock', hash)
    await database.pool.query('DELETE FROM block WHERE height = (SELECT max(height) FROM block)')
    await mempool.sync()
    expect(await kept()).toContain(txid)
    await chain.rpc('reconsiderblock', hash)
  })

  it('numbers transactions in order of arrival, and notifies listeners', async () => {
    const listener = await pool.connect()
    const heard = new Promise((resolve) => listener.once('notification', resolve))
    await listener.query('LISTEN mempool')
    await level()
    const first = await pay(1)
    await mempool.sync()
    const second = await pay(1)
    await mempool.sync()
    expect(await heard).toMatchObject({ channel: 'mempool', payload: coin })
    listener.release(true)
    const { rows } = await database.pool.query(`SELECT encode(txid, 'hex') AS txid FROM mempool_tx ORDER BY seq DESC LIMIT 2`)
    expect(rows.map(({ txid }) => txid)).toEqual([second, first])
  })

  it('has one writer at a time', async () => {
    await expect(begin(AbortSignal.timeout(1_200))).rejects.toThrow()
  })

  it('writes nothing after losing the lease', async () => {
    await database.pool.query(`UPDATE lease SET epoch = epoch + 1 WHERE name = 'mempool'`)
    const before = await kept()
    await pay(1)
    await expect(mempool.sync()).rejects.toThrow('The lease mempool is lost.')
    expect(await kept()).toEqual(before)
    await database.pool.query(`UPDATE lease SET held_until = now() WHERE name = 'mempool'`)
    mempool = await begin()
  })

  it('keeps only what involves the tracked addresses', async () => {
    await level()
    await mempool.lease.release()
    await database.pool.query('DELETE FROM mempool_tx')
    // Such an index has no others.
    await database.pool.query('DELETE FROM txo')
    const [ours, theirs] = [await address(), await address()]
    mempool = await begin(signal, [ours])
    const received = await chain.rpc<string>('sendtoaddress', ours, 1)
    await chain.rpc('sendtoaddress', theirs, 1)
    const spent = await spendOutputOf(received, 0.3, { owner: ours })
    await mempool.sync()
    await mempool.sync()
    expect((await kept()).sort()).toEqual([received, spent].sort())
    expect(await outputs(received)).toHaveLength(1)
  })

  async function begin(until = signal, track: string[] = []): Promise<MempoolFollower> {
    const repository = new MempoolRepository(pool, { TRACK: trackedScripts(track, rules) })
    return new MempoolService(new MempoolClient(client, rules), repository, new Clock()).begin(until)
  }

  async function catchUp(): Promise<void> {
    const { rows } = await database.pool.query<{ height: number }>('SELECT coalesce(max(height), -1) AS height FROM block')
    const { height } = await blocks.tip(signal)
    for await (const block of blocks.blocks(rows[0]!.height + 1, height, signal)) {
      await index.add(block)
      await index.confirm(block)
    }
  }

  /** Index and node at the same block, and nothing unconfirmed. */
  async function level(): Promise<void> {
    await chain.mine(1)
    await database.pool.query('DELETE FROM block')
    await database.pool.query('DELETE FROM tx')
    await database.pool.query('DELETE FROM txo')
    index = new PlainIndex(database.pool)
    await catchUp()
    await mempool.sync()
  }

  function address(): Promise<string> {
    return chain.rpc<string>('getnewaddress')
  }

  async function pay(amount: number): Promise<string> {
    return chain.rpc<string>('sendtoaddress', await address(), amount)
  }

  /** Pays from an output of an unconfirmed transaction: of this address, or whichever has enough. */
  async function spendOutputOf(txid: string, amount: number, { owner, fee = 0.001 }: Spending = {}): Promise<string> {
    const { vout } = await chain.rpc<{ vout: NodeOutput[] }>('getrawtransaction', txid, true)
    const output = vout.find((each) => (owner ? ownerOf(each) === owner : each.value > amount))!
    const change = Number((output.value - amount - fee).toFixed(8))
    const raw = await chain.rpc(
      'createrawtransaction',
      [{ txid, vout: output.n, sequence: 0xfffffffd }],
      [{ [await address()]: amount }, { [await address()]: change }],
    )
    const { hex } = await chain.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)
    return chain.rpc<string>('sendrawtransaction', hex)
  }

  /** Makes a transaction that spends the same and pays more. */
  async function bump(txid: string): Promise<{ txid: string }> {
    const { vin, vout } = await chain.rpc<{ vin: { txid: string; vout: number }[]; vout: NodeOutput[] }>('getrawtransaction', txid, true)
    const inputs = vin.map((input) => ({ txid: input.txid, vout: input.vout, sequence: 0xfffffffd }))
    const total = vout.reduce((sum, { value }) => sum + value, 0)
    const raw = await chain.rpc('createrawtransaction', inputs, [{ [await address()]: Number((total - 0.005).toFixed(8)) }])
    const { hex } = await chain.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)
    return { txid: await chain.rpc<string>('sendrawtransaction', hex) }
  }

  async function kept(): Promise<string[]> {
    const { rows } = await database.pool.query(`SELECT encode(txid, 'hex') AS txid FROM mempool_tx ORDER BY seq`)
    return rows.map(({ txid }) => txid)
  }

  /** What waits by band, the bands without anything left out. */
  async function counted(): Promise<FeeBand[]> {
    const client = await database.pool.connect()
    const bands = await new MempoolSizeRepository().list(client)
    client.release()
    return bands.filter(({ transactions }) => transactions !== 0).sort((a, b) => a.rate - b.rate)
  }

  async function firstSeen(): Promise<Record<string, Date>> {
    const { rows } = await database.pool.query(`SELECT encode(txid, 'hex') AS txid, first_seen FROM mempool_tx`)
    return Object.fromEntries(rows.map(({ txid, first_seen }) => [txid, first_seen]))
  }

  async function outputs(txid: string): Promise<{ vout: number; value: string }[]> {
    return (await database.pool.query('SELECT vout, value FROM mempool_output WHERE txid = $1', [Buffer.from(txid, 'hex')])).rows
  }

  async function spends(txid: string): Promise<Spend[]> {
    const { rows } = await database.pool.query<Spend>(
      `SELECT encode(prev_txid, 'hex') AS prev, prev_vout, encode(txid, 'hex') AS txid, value, script_key IS NOT NULL AS known
       FROM mempool_spend WHERE txid = $1`,
      [Buffer.from(txid, 'hex')],
    )
    return rows
  }
})

function ownerOf({ scriptPubKey }: NodeOutput): string | undefined {
  return scriptPubKey.address ?? scriptPubKey.addresses?.[0]
}
