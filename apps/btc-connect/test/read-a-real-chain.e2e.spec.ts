import type { MempoolSize } from '@trestle/contracts/btc-connect/mempool'
import { hasBitcoind } from '@trestle/testing/chain'
import { eventually } from '@trestle/testing/eventually'
import { startDeployment, type TestDeployment } from './deployment.js'
import { EventReader } from './seeded/event-reader.js'
import { waitingAtNode } from './waiting-at-node.js'

// What a real node says of its own blocks and transactions, beside what the API answers from the index that was written of them.

interface NodeTransaction {
  readonly txid: string
  readonly version: number
  readonly locktime: number
  readonly size: number
  readonly vin: readonly { txid?: string; vout?: number; coinbase?: string; sequence: number; scriptSig?: { asm: string; hex: string } }[]
  readonly vout: readonly {
    value: number
    n: number
    scriptPubKey: { asm: string; hex: string; type: string; address?: string; addresses?: string[] }
  }[]
  readonly blockhash?: string
}

const coins = (await hasBitcoind()) ? (['ltc', 'btc'] as const) : (['ltc'] as const)

describe.each(coins)('the chain of a real node of %s', (coin) => {
  let api: TestDeployment
  const payees: Record<string, string> = {}

  beforeAll(async () => {
    api = await startDeployment({ coin })
    await api.chain.mine(110)
    for (const type of ['legacy', 'p2sh-segwit', 'bech32', ...(coin === 'btc' ? ['bech32m'] : [])]) {
      payees[type] = await api.chain.rpc<string>('getnewaddress', '', type)
      for (const amount of [1, 0.0011, 0.12345678]) await api.chain.rpc('sendtoaddress', payees[type], amount)
    }
    await api.chain.rpc('sendmany', '', Object.fromEntries(Object.values(payees).map((address, n) => [address, 0.5 + n])))
    await api.chain.mine(3)
    await api.chain.rpc('sendtoaddress', payees.bech32, 0.3)
    await caughtUp()
  })

  afterAll(() => api.stop())

  async function caughtUp(): Promise<void> {
    const tip = await api.chain.rpc<string>('getbestblockhash')
    const waiting = (await api.chain.rpc<string[]>('getrawmempool')).length
    await eventually(async () => {
      const { body } = await api.get(`/block/${tip}`)
      const { rows } = await api.sql.query('SELECT count(*)::int AS count FROM mempool_tx')
      return (body.hash === tip && rows[0].count === waiting) || undefined
    }, 'the index is where the node is')
  }

  it('has every block as the node has it', async () => {
    const height = await api.chain.rpc<number>('getblockcount')
    for (const at of [0, 1, 110, height - 1, height]) {
      const hash = await api.chain.rpc<string>('getblockhash', at)
      const node = await api.chain.rpc<Record<string, unknown>>('getblock', hash, 1)
      const { body } = await api.get(`/block/${hash}`)
      for (const name of ['hash', 'height', 'version', 'merkleroot', 'tx', 'time', 'nonce', 'bits', 'chainwork', 'confirmations']) {
        expect({ [name]: body[name] }).toEqual({ [name]: node[name] })
      }
      expect(body.previousblockhash).toBe(node.previousblockhash ?? null)
      expect(body.nextblockhash).toBe(node.nextblockhash)
      expect((await api.get(`/block-index/${at}`)).body).toEqual({ blockHash: hash })
    }
  })

  it('has every transaction as the node has it', async () => {
    const height = await api.chain.rpc<number>('getblockcount')
    const txids = await api.chain.rpc<string[]>('getrawmempool')
    for (const at of [1, height - 2, height - 1, height]) {
      const { tx } = await api.chain.rpc<{ tx: string[] }>('getblock', await api.chain.rpc('getblockhash', at), 1)
      txids.push(...tx)
    }
    expect(txids.length).toBeGreaterThan(12)
    for (const txid of txids) {
      const { body } = await api.get(`/tx/${txid}`)
      const hash = body.blockhash === undefined ? [] : [body.blockhash]
      expectSame(body, await api.chain.rpc<NodeTransaction>('getrawtransaction', txid, true, ...hash))
    }
  })

  it('has the size of the mempool that the node has', async () => {
    const { status, headers, body } = await api.get('/mempool')
    expect({ status, height: headers.get('x-index-height') }).toEqual({ status: 200, height: String(await api.chain.rpc('getblockcount')) })
    const { bands, ...total } = body as MempoolSize
    const waiting = await waitingAtNode(api.chain)
    const told = waiting.map(({ rate, transactions, vsize, fees }) => ({
      from: rate,
      txlength: transactions,
      vsize,
      feesSat: Number(fees),
    }))
    expect(bands.filter(({ txlength }) => txlength > 0)).toEqual(told.map((band) => expect.objectContaining(band)))
    for (const name of ['txlength', 'vsize', 'feesSat'] as const) expect(total[name]).toBe(told.reduce((sum, band) => sum + band[name], 0))
  })

  it('has the unspent outputs that the node has', async () => {
    for (const address of Object.values(payees)) {
      const { unspents } = await api.chain.rpc<{ unspents: { txid: string; vout: number; amount: number; height: number }[] }>(
        'scantxoutset',
        'start',
        [`addr(${address})`],
      )
      const { body } = await api.get(`/addr/${address}/utxo?maxHeight=1000000`)
      // Those the mempool spends are not there any more.
      const spendable = await Promise.all(unspents.map(({ txid, vout }) => api.chain.rpc('gettxout', txid, vout, true)))
      const expected = unspents.filter((_, index) => spendable[index])
      expect(body.map(outpoint).sort()).toEqual(expected.map(outpoint).sort())
      for (const { txid, vout, amount, height } of expected) {
        expect(body.find((output: { txid: string; vout: number }) => output.txid === txid && output.vout === vout)).toMatchObject({
          amount,
          height,
          address,
        })
      }
    }
  })

  it('sends events as they happen', async () => {
    const token = api.accounts.issuer.client()
    const reader = await EventReader.open(api.url, { token, query: `?address=${payees.legacy}&events=block,tx,address` })
    expect(reader.response.statusCode).toBe(200)
    await reader.next()
    const txid = await api.chain.rpc<string>('sendtoaddress', payees.legacy, 0.7)
    const unconfirmed = await reader.several(2)
    expect(unconfirmed.map(({ event, data }) => [event, data.txid])).toEqual([
      ['tx', txid],
      ['address', txid],
    ])
    const [hash] = await api.chain.mine(1)
    expect(await reader.next()).toMatchObject({ event: 'block', id: hash, data: { hash } })
    // The block may confirm other payments of this address as well.
    const { tx: ids } = await api.chain.rpc<{ tx: string[] }>('getblock', hash)
    let told = await reader.next()
    while (told && told.data.txid !== txid && ids.includes(told.data.txid)) told = await reader.next()
    expect(told).toMatchObject({ event: 'address', data: { txid, blockhash: hash } })
    reader.close()
  })

  it('ends with the token', async () => {
    const token = api.accounts.issuer.client({ payload: { exp: Math.floor(Date.now() / 1000) + 2 } })
    const reader = await EventReader.open(api.url, { token })
    expect(reader.response.statusCode).toBe(200)
    while (await reader.next()) {}
    // Clocks may differ: a token that arrives is accepted for some seconds longer.
    await eventually(async () => {
      const late = await EventReader.open(api.url, { token })
      late.close()
      return late.response.statusCode === 401 || undefined
    }, 'the token is refused')
  })

  it('has both branches after the node switched branches', async () => {
    const left = await api.chain.rpc<string>('getbestblockhash')
    await api.chain.rpc('invalidateblock', left)
    // To the same address the next block could be the one that was just refused.
    await api.chain.rpc('generatetoaddress', 2, payees.legacy)
    await caughtUp()
    const { body } = await api.get(`/block/${left}`)
    expect(body).toMatchObject({ hash: left, isMainChain: false, confirmations: -1 })
    const reader = await EventReader.open(api.url, { token: api.accounts.issuer.client(), query: '?events=block', lastEventId: left })
    const [, first, second] = await reader.several(3)
    expect(first?.data).toMatchObject({ height: body.height, previousblockhash: body.previousblockhash })
    expect(second?.data).toMatchObject({ height: body.height + 1, previousblockhash: first?.data.hash })
    reader.close()
  })
})

function outpoint({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`
}

// biome-ignore lint/suspicious/noExplicitAny: the body of an answer
function expectSame(ours: any, node: NodeTransaction): void {
  const { txid, version, locktime, size } = node
  expect(ours).toMatchObject({ txid, version, locktime, size })
  expect(ours.vin).toMatchObject(
    node.vin.map((input, n) =>
      input.coinbase
        ? { coinbase: input.coinbase, sequence: input.sequence, n }
        : {
            txid: input.txid,
            vout: input.vout,
            sequence: input.sequence,
            n,
            scriptSig: { hex: input.scriptSig?.hex, asm: input.scriptSig?.asm },
          },
    ),
  )
  expect(ours.vout).toMatchObject(
    node.vout.map(({ value, n, scriptPubKey: { asm, hex, type, address, addresses = address ? [address] : [] } }) => ({
      value: value.toFixed(8),
      n,
      scriptPubKey: { asm, hex, type, ...(type !== 'pubkey' && { addresses }) },
    })),
  )
}
